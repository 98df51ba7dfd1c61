import type { Delivery } from '@switchboard/testing';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@switchboard/testing/random';
import type { Harness } from '../start-harness.ts';

/** One message from a handset. */
export interface PlannedInbound {
  /** Index of the workspace. */
  workspace: number;
  body: string;
  /** Measured from the start of the run. */
  atMs: number;
}

export interface InboundRecord {
  delivery: Delivery;
  /** `Date.now()` before and after the delivery. */
  fromMs: number;
  toMs: number;
}

const BODIES = ['STOP', 'stop', 'UNSUBSCRIBE', 'HELP', 'Thank you', 'Where is my order?'];

/** Plans messages from handsets. Each handset has its own number and sends one message. */
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

/** A range of numbers to which no program of a run sends. */
const HANDSET = '+1628';

export function isHandset(number: string): boolean {
  return number.startsWith(HANDSET);
}

export interface Handsets {
  /** Starts the delivery of each message at its time. Resolves when the last delivery has started. */
  send(plan: readonly PlannedInbound[]): Promise<void>;
  /** Sends `count` messages at the same time. */
  burst(workspace: number, count: number): void;
  /** Resolves when the carrier has delivered all messages or stopped trying. */
  close(): Promise<InboundRecord[]>;
}

export function createHandsets(harness: Pick<Harness, 'carrier' | 'workspaces'>): Handsets {
  const sent: Promise<InboundRecord>[] = [];

  async function sendOne(
    workspace: number,
    body: string,
    { from, isOverSmpp }: { from: string; isOverSmpp: boolean },
  ): Promise<InboundRecord> {
    const { inbound = '', smppNumber = null } = harness.workspaces[workspace] ?? {};
    const to = smppNumber !== null && isOverSmpp ? smppNumber : inbound;
    const fromMs = Date.now();
    const delivery = await harness.carrier.receive({ from, to, body });
    return { delivery, fromMs, toMs: Date.now() };
  }
  function begin(workspace: number, body: string): void {
    const from = `${HANDSET}${2_000_000 + sent.length}`;
    const one = sendOne(workspace, body, { from, isOverSmpp: sent.length % 2 === 1 });
    one.catch(() => undefined); // `close` rejects with the error.
    sent.push(one);
  }

  return {
    async send(plan) {
      const startedAt = performance.now();
      for (const { workspace, body, atMs } of plan) {
        await delay(Math.max(0, startedAt + atMs - performance.now()));
        begin(workspace, body);
      }
    },
    burst(workspace, count) {
      for (let sentSoFar = 0; sentSoFar < count; sentSoFar += 1) begin(workspace, 'Hello');
    },
    close: () => Promise.all(sent),
  };
}
