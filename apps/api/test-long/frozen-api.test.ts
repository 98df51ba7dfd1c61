import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@switchboard/testing/percentile';
import { expect, test } from 'vitest';
import { callBack } from '../test/call-back.ts';
import { LIMITS, sendTo, timed } from '../test/start-load.ts';
import { startService } from '../test/start-service.ts';

const ROUNDS = 10;
const FROZEN_MS = 3_000;
const SENDERS = 4;

const p99 = (waits: number[]) => percentile(waits, 0.99);

test('while an API process is frozen under inbound traffic, another workspace’s sends on another API stay under 500 ms at the 99th percentile', async () => {
  const service = await startService({ apis: 2, env: LIMITS });
  const [frozen, alive] = service.apis;
  if (frozen?.pid === undefined || alive === undefined) throw new Error('two APIs must run');
  const [receiving, unrelated] = await Promise.all([
    service.addWorkspace(),
    service.addWorkspace(),
  ]);
  let isRunning = true;
  let received = 0;

  async function keepReceiving(): Promise<void> {
    while (isRunning) {
      received += 1;
      const MessageSid = `SM${String(received).padStart(32, '0')}`;
      const Body = received % 5 === 0 ? 'HELP' : 'Hello';
      const From = `+1555${String(1_000_000 + received)}`;
      const fields = { MessageSid, From, To: receiving.from, Body };
      await callBack(frozen?.url ?? '', receiving, fields, { kind: 'inbound' }).catch(() => 0);
    }
  }
  const waits: { calm: number[]; frozen: number[] } = { calm: [], frozen: [] };
  let phase: keyof typeof waits = 'calm';
  async function keepSending(sender: number): Promise<void> {
    for (let n = 0; isRunning; n += 1) {
      const begunIn = phase;
      // Sends for the receiving workspace as well, so that the two share batches.
      const [own] = await Promise.all([
        timed(sendTo(alive?.url ?? '', unrelated, `${sender}-${n}`)),
        sendTo(alive?.url ?? '', receiving, `${sender}-${n}`),
      ]);
      expect(own.result.status).toBe(201);
      waits[begunIn].push(own.ms);
    }
  }
  const traffic = [
    ...Array.from({ length: 16 }, keepReceiving),
    ...Array.from({ length: SENDERS }, (_, sender) => keepSending(sender)),
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    await delay(1_000);
    process.kill(frozen.pid, 'SIGSTOP');
    phase = 'frozen';
    await delay(FROZEN_MS);
    phase = 'calm';
    process.kill(frozen.pid, 'SIGCONT');
  }
  isRunning = false;
  await Promise.all(traffic);
  await service.close();

  const figures = `calm: p99 ${Math.round(p99(waits.calm))} ms of ${waits.calm.length}; frozen: p99 ${Math.round(p99(waits.frozen))} ms, longest ${Math.round(Math.max(...waits.frozen))} ms of ${waits.frozen.length}; ${received} inbound`;
  process.stdout.write(`${figures}\n`);
  expect(p99(waits.frozen), figures).toBeLessThan(500);
});
