import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { numbersTo, sendEach } from './send-each.ts';

test('sendEach sends a bounded number of concurrent requests and returns the responses in order', async () => {
  let inFlight = 0;
  let most = 0;
  const responses = await sendEach(
    numbersTo(50),
    async (n) => {
      most = Math.max(most, (inFlight += 1));
      await turn();
      inFlight -= 1;
      return { status: n % 2 === 0 ? 200 : 404, n };
    },
    { status: (n) => (n % 2 === 0 ? 200 : 404), atOnce: 7 },
  );
  expect(responses.map(({ n }) => n)).toEqual(numbersTo(50));
  expect(most).toBe(7);
});

test('sendEach throws an error with the status and the text of an unexpected response, and sends no more requests', async () => {
  let sent = 0;
  const sending = sendEach(
    numbersTo(100),
    async (n) => {
      sent += 1;
      await turn();
      return { status: n === 3 ? 503 : 200, text: `response ${n}` };
    },
    { status: [200, 201], atOnce: 4 },
  );
  await expect(sending).rejects.toThrow(
    'Request 4 of 100 has the status 503, not 200 or 201: response 3',
  );
  expect(sent).toBeLessThan(10);
});
