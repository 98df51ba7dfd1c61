import { createHash } from 'node:crypto';
import { textOf, type Form } from '../form.ts';
import type { Behaviour } from './behaviour.ts';

export interface Attempt {
  /** The message, as its sender knows it. */
  identity: string;
  /** The message and which attempt at it this is: what request faults are decided by. */
  key: string;
}

export type Faults = ReturnType<typeof createFaults>;

/**
 * Decides which requests and callbacks fail: by a hash of the seed, the fault, the message and its
 * attempt. The same seed therefore gives the same faults, whatever the order of the requests.
 */
export function createFaults(current: () => Pick<Behaviour, 'seed'>) {
  const occurrences = new Map<string, number>();
  const refusals = new Map<string, number>();

  /** A number from 0 up to 1 that is always the same for the same arguments and seed. */
  function draw(purpose: string, key: string): number {
    const digest = createHash('sha1').update(`${current().seed}:${purpose}:${key}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  }

  return {
    draw,

    /**
     * Who is asking: the `message` and `attempt` of the status callback's URL where they are there.
     * Otherwise the account, recipient and text, and how often they have come before.
     */
    identify(accountSid: string, form: Form): Attempt {
      const callback = textOf(form, 'StatusCallback');
      const named = URL.canParse(callback) ? new URL(callback).searchParams : null;
      const identity =
        named?.get('message') ??
        createHash('sha1')
          .update(JSON.stringify([accountSid, textOf(form, 'To'), textOf(form, 'Body')]))
          .digest('base64url');
      const attempt = named?.get('attempt') ?? String(count(occurrences, identity));
      return { identity, key: `${identity}:${attempt}` };
    },

    strikes(fault: string, key: string, probability: number): boolean {
      return probability > 0 && draw(fault, key) < probability;
    },

    /** How often this message has been counted here; the third time starts over. */
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
