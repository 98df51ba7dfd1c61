import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../start-service.ts';
import { client, receive, send, useInbox } from './environment.ts';

useInbox();

const isOptedOut = async (number: string) =>
  (await client(`/conversations/${encodeURIComponent(number)}`)).json?.['opted_out'];

describe.each([
  ['+5215512345678', '+525512345678'],
  ['+541112345678', '+5491112345678'],
  ['+551187654321', '+5511987654321'],
  ['+22507123456', '+2250707123456'],
  ['+2290197123456', '+22997123456'],
])('%s and %s are one subscriber', (one, other) => {
  test('a STOP from one blocks sends to the other until a START from either', async () => {
    expect((await send(other)).status).toBe(201);
    await receive(one, 'STOP');
    expectRefusal(await send(other), 400, 'recipient_opted_out');
    expectRefusal(await send(one), 400, 'recipient_opted_out');
    expect(await isOptedOut(other)).toBe(true);
    expect((await client('/conversations')).json).toMatchObject({
      data: [
        { number: one, opted_out: true },
        { number: other, opted_out: true },
      ],
    });
    await receive(other, 'START');
    expect((await send(one)).status).toBe(201);
    expect(await isOptedOut(other)).toBe(false);
  });

  test('an opt-out that a member adds holds for both, once, and is deleted by either', async () => {
    expect((await client('/opt-outs', { json: { number: one } })).status).toBe(201);
    expectRefusal(await client('/opt-outs', { json: { number: other } }), 400, 'already_exists');
    expectRefusal(await send(other), 400, 'recipient_opted_out');
    expect((await client('/opt-outs')).json).toMatchObject({ data: [{ number: one }] });
    const removed = await client(`/opt-outs/${encodeURIComponent(other)}`, { method: 'DELETE' });
    expect(removed.status).toBe(200);
    expect((await send(one)).status).toBe(201);
  });
});
