import { expect, test } from 'vitest';
import { spendTimeOnBadNetwork } from './bad-network/spend-time.ts';
import { useStack } from '../test/use-dashboard.ts';

const SECONDS = Number(process.env['BAD_NETWORK_SECONDS'] ?? 1_200);
const SEED = Number(process.env['BAD_NETWORK_SEED'] ?? Date.now() % 1_000_000);
const PER_SECOND = 2;
const REPLIES = Math.round(SECONDS / 6);

useStack();

test(
  `after ${SECONDS} s on a network that drops, freezes, delays and halves connections, each of ${REPLIES} replies is sent once and shown once, each of the ${PER_SECOND} messages per second is shown once, and the state line was never wrong for longer than a minute`,
  async () => {
    const figures = await spendTimeOnBadNetwork({
      seed: SEED,
      seconds: SECONDS,
      replies: REPLIES,
      perSecond: PER_SECOND,
    });
    expect(figures['received']).toBeGreaterThan(SECONDS * PER_SECOND * 0.9);
  },
  (SECONDS + 600) * 1_000,
);
