import { createHash } from 'node:crypto';
import type { Behaviour } from './behaviour.ts';

export interface Attempt {
  /** Identifies the message across retries of its sender. */
  identity: string;
  /** Identifies the attempt. Request faults depend on it. */
  key: string;
}

/** What identifies a request to send a message. */
export interface SendIdentity {
  accountSid: string;
  to: string;
  body: string;
  /** The URL for status callbacks; empty without one. */
  statusCallback: string;
}

export type Faults = ReturnType<typeof createFaults>;

/**
 * Decides which requests and callbacks fail, by a hash of the seed, the fault, the message and the
 * attempt. The same seed gives the same faults in any order of requests.
 */
export function createFaults(current: () => Pick<Behaviour, 'seed'>) {
  const occurrences = new Map<string, number>();
  const refusals = new Map<string, number>();

  /** Returns a number from 0 to below 1 that depends only on the arguments and the seed. */
  function draw(purpose: string, key: string): number {
    const digest = createHash('sha1').update(`${current().seed}:${purpose}:${key}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  }

  return {
    draw,

    /**
     * Identifies a request by `message` and `attempt` in its status callback URL, if present.
     * Otherwise by account, recipient and text, and how often these have occurred before.
     */
    identify({ accountSid, to, body, statusCallback }: SendIdentity): Attempt {
      const named = URL.canParse(statusCallback) ? new URL(statusCallback).searchParams : null;
      const identity =
        named?.get('message') ??
        createHash('sha1')
          .update(JSON.stringify([accountSid, to, body]))
          .digest('base64url');
      const attempt = named?.get('attempt') ?? String(count(occurrences, identity));
      return { identity, key: `${identity}:${attempt}` };
    },

    /** Returns whether the fault occurs for this key. */
    strikes(fault: string, key: string, probability: number): boolean {
      return probability > 0 && draw(fault, key) < probability;
    },

    /** Counts the refusals of a message. The count restarts after the third. */
    countRefusal(identity: string): number {
      const times = count(refusals, identity);
      if (times > 2) refusals.delete(identity);
      return times;
    },

    forget(): void {
      occurrences.clear();
      refusals.clear();
    },
  };
}

function count(counts: Map<string, number>, key: string): number {
  const times = (counts.get(key) ?? 0) + 1;
  counts.set(key, times);
  return times;
}
