import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery } from '../carrier.ts';
import type { Random } from '../random.ts';
import type { Stage } from '../stage/start-stage.ts';

/** One message from a handset. */
export interface PlannedInbound {
  /** Index of the workspace. */
  workspace: number;
  body: string;
  /** From the start of the run. */
  atMs: number;
}

export interface InboundRecord {
  delivery: Delivery;
  /** The time that the carrier took for it: `Date.now()` before and after. */
  fromMs: number;
  toMs: number;
}

const BODIES = ['STOP', 'stop', 'UNSUBSCRIBE', 'HELP', 'Thank you', 'Where is my order?'];

/** Every number is of one handset only, and each handset sends one message. */
export function planInbound(
  random: Random,
  options: { count: number; workspaces: number; durationMs: number },
): PlannedInbound[] {
  return Array.from({ length: options.count }, (_, index) => ({
    workspace: random.between(0, options.workspaces - 1),
    body: random.pick(BODIES),
    atMs: Math.round(((index + random.next()) / options.count) * options.durationMs),
  }));
}

/** In a range that no program of a run sends to. */
const HANDSET = '+1628';

export function isHandset(number: string): boolean {
  return number.startsWith(HANDSET);
}

export interface Handsets {
  /** Has the carrier hand each message over at its time; resolves when the last has been sent. */
  send(plan: readonly PlannedInbound[]): Promise<void>;
  /** So many at once. */
  burst(workspace: number, count: number): void;
  /** Resolves when the carrier has handed all over, or has given up. */
  close(): Promise<InboundRecord[]>;
}

export function createHandsets(stage: Pick<Stage, 'carrier' | 'workspaces'>): Handsets {
  const sent: Promise<InboundRecord>[] = [];

  async function sendOne(workspace: number, body: string, from: string): Promise<InboundRecord> {
    const to = stage.workspaces[workspace]?.inbound ?? '';
    const fromMs = Date.now();
    const delivery = await stage.carrier.receive({ from, to, body });
    return { delivery, fromMs, toMs: Date.now() };
  }
  function begin(workspace: number, body: string): void {
    const one = sendOne(workspace, body, `${HANDSET}${2_000_000 + sent.length}`);
    one.catch(() => undefined); // rejects in `close`
    sent.push(one);
  }

  return {
    async send(plan) {
      const startedAt = performance.now();
      for (const { workspace, body, atMs } of plan) {
        await pause(Math.max(0, startedAt + atMs - performance.now()));
        begin(workspace, body);
      }
    },
    burst(workspace, count) {
      for (let sentSoFar = 0; sentSoFar < count; sentSoFar += 1) begin(workspace, 'Hello');
    },
    close: () => Promise.all(sent),
  };
}
