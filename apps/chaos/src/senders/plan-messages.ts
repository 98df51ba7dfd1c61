import type { Random } from '@switchboard/testing/random';

/** One message of a program, and how the program retries. */
export interface PlannedMessage {
  /** The Idempotency-Key. */
  key: string;
  /** Index of the workspace. */
  workspace: number;
  to: string;
  body: string;
  mediaUrls: readonly string[];
  /** Measured from the start of the run. */
  atMs: number;
  /** How often the program repeats the request after a successful response. */
  repeats: number;
  /** The seconds of `Prefer: wait`, or 0 for none. */
  waitSeconds: number;
  /** Whether the program stops if its first request fails. */
  givesUp: boolean;
}

export interface MessagePlanOptions {
  count: number;
  workspaces: number;
  /** The prefix of the keys. */
  name?: string;
  /** The time over which the first requests are spread. */
  durationMs: number;
  /** How often a request is repeated. By default, most requests never are, and some up to three times. */
  repeats?: { min: number; max: number };
  /** `ordinary` excludes the simulator's magic numbers. */
  recipients?: 'ordinary';
  /** `stubborn`: all programs retry until they succeed. `once`: each program sends one request. */
  programs?: 'stubborn' | 'once';
}

/** Magic numbers of the simulator: refused, undelivered, 429 twice. */
const MAGIC_SHARE = 0.05;
const MAGIC_RECIPIENTS = ['+15005550001', '+15005550010', '+15005550013', '+15005550020'];

/** Every third message has the text and the recipient of an earlier one. */
const TWIN_EVERY = 3;
const TWIN_WITHIN = 40;
/** The share of these messages that also have the same media. */
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
  if (repeats !== undefined) return random.between(repeats.min, repeats.max);
  return programs !== 'once' && random.chance(0.3) ? random.between(1, 3) : 0;
}

function pickMedia(random: Random): string[] {
  if (!random.chance(MEDIA_SHARE)) return [];
  const names = random.shuffle(['cat', 'dog', 'fox']).slice(0, random.between(1, 2));
  return names.map((name) => `https://media.example/${name}.png`);
}
