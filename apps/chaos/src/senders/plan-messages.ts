import type { Random } from '../random.ts';

/** One message that a program wants sent, and how stubborn that program is. */
export interface PlannedMessage {
  /** The Idempotency-Key. */
  key: string;
  /** Index of the workspace. */
  workspace: number;
  to: string;
  body: string;
  mediaUrls: readonly string[];
  /** From the start of the run. */
  atMs: number;
  /** How often it asks again after it has had its answer. */
  repeats: number;
  /** Seconds that it lets the answer wait for the provider's; 0 is none. */
  waitSeconds: number;
  /** Whether it gives up when its first request fails. */
  givesUp: boolean;
}

export interface MessagePlanOptions {
  count: number;
  workspaces: number;
  /** What the keys begin with. */
  name?: string;
  /** Over which the first requests are spread. */
  durationMs: number;
  /** How often a message is asked for again; by default most never, some up to three times. */
  repeats?: { least: number; most: number };
  /** `ordinary`: none of the numbers that end in something of their own. */
  recipients?: 'ordinary';
  /** `stubborn`: no program gives up; `once`: each asks once and never again. */
  programs?: 'stubborn' | 'once';
}

/** Numbers of the simulator that end in something of their own: refused, undelivered, 429 twice. */
const MAGIC_SHARE = 0.05;
const MAGIC_RECIPIENTS = ['+15005550001', '+15005550010', '+15005550013', '+15005550020'];

/** Every third message is the same text to the same recipient as one shortly before it. */
const TWIN_EVERY = 3;
const TWIN_WITHIN = 40;
/** Of the twins; the others have a text in common and no more. */
const SAME_MEDIA_SHARE = 0.7;
const MEDIA_SHARE = 0.25;

export function planMessages(random: Random, options: MessagePlanOptions): PlannedMessage[] {
  const { count, workspaces, durationMs, programs, name = 'message' } = options;
  const planned: PlannedMessage[] = [];
  for (let index = 0; index < count; index += 1) {
    const recent = planned.slice(-TWIN_WITHIN);
    const twin = index % TWIN_EVERY === TWIN_EVERY - 1 ? random.pick(recent) : null;
    const workspace = twin?.workspace ?? random.between(0, workspaces - 1);
    planned.push({
      key: `${name}-${index}`,
      workspace,
      to: twin?.to ?? pickRecipient(random, options.recipients === 'ordinary' ? 0 : MAGIC_SHARE),
      body: twin?.body ?? `Your order ${index} of ${name} is on its way`,
      mediaUrls:
        twin !== null && random.chance(SAME_MEDIA_SHARE) ? twin.mediaUrls : pickMedia(random),
      atMs: Math.round(((index + random.next()) / count) * durationMs),
      repeats: pickRepeats(random, options),
      waitSeconds: random.chance(0.03) ? 1 : 0,
      givesUp: programs === 'once' || random.chance(programs === 'stubborn' ? 0 : 0.05),
    });
  }
  return planned;
}

function pickRecipient(random: Random, magicShare: number): string {
  return random.chance(magicShare)
    ? random.pick(MAGIC_RECIPIENTS)
    : `+1415${random.between(2_000_000, 9_999_999)}`;
}

function pickRepeats(
  random: Random,
  { repeats, programs }: Pick<MessagePlanOptions, 'repeats' | 'programs'>,
): number {
  if (repeats !== undefined) return random.between(repeats.least, repeats.most);
  return programs !== 'once' && random.chance(0.3) ? random.between(1, 3) : 0;
}

function pickMedia(random: Random): string[] {
  if (!random.chance(MEDIA_SHARE)) return [];
  const names = random.shuffle(['cat', 'dog', 'fox']).slice(0, random.between(1, 2));
  return names.map((name) => `https://media.example/${name}.png`);
}
