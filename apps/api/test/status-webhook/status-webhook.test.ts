import { mapBounded, numbersTo, sendEach } from '@switchboard/testing';
import { slotOf, startOfSlot } from '@switchboard/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import {
  TO,
  service,
  workspace,
  newSid,
  send,
  sendStatus,
  read,
  snapshot,
  useWebhookService,
} from './environment.ts';
import { describeRefused } from './refused.suite.ts';

useWebhookService();

// The suites share one API process.
describeRefused();

describe('signed status callbacks', () => {
  test('a status callback sets the identifier of the message that its query names, even before the worker does', async () => {
    const [id, sid] = [await send(), newSid()];
    expect(
      (await sendStatus({ MessageSid: sid, MessageStatus: 'sent' }, { message: id })).status,
    ).toBe(200);
    expect(await read(id)).toMatchObject({
      provider_sid: sid,
      status: 'sent',
      sent_at: expect.any(String),
      delivered_at: null,
      events: [
        { type: 'created', status: 'queued' },
        { type: 'provider_accepted', status: 'sent' },
      ],
    });
    expect(
      (await ask(service.url, `/api/messages/${sid}`, { token: workspace.apiKey })).json?.['id'],
    ).toBe(id);
    // Further callbacks need only the identifier.
    expect((await sendStatus({ MessageSid: sid, MessageStatus: 'delivered' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'delivered', delivered_at: expect.any(String) });
  });

  test('a status callback may use the older field names SmsSid and SmsStatus', async () => {
    const [id, sid] = [await send(), newSid()];
    await sendStatus({ SmsSid: sid, SmsStatus: 'sent' }, { message: id });
    expect(await read(id)).toMatchObject({ provider_sid: sid, status: 'sent' });
  });

  test('repeated and late status callbacks change nothing', async () => {
    const [id, sid] = [await send(), newSid()];
    for (const status of ['sent', 'delivered'])
      await sendStatus({ MessageSid: sid, MessageStatus: status }, { message: id });
    const before = await snapshot(id);
    for (const status of [
      'delivered',
      'sent',
      'queued',
      'sending',
      'undelivered',
      'failed',
      'accepted',
      'canceled',
    ]) {
      expect(
        (await sendStatus({ MessageSid: sid, MessageStatus: status }, { message: id })).status,
      ).toBe(200);
    }
    expect(await snapshot(id)).toEqual(before);
    await sendStatus({ MessageSid: sid, MessageStatus: 'read' }, { message: id });
    expect(await read(id)).toMatchObject({ status: 'read' });
  });

  test('status callbacks in any order and number lead to the same result', async () => {
    const rank = [
      'accepted',
      'queued',
      'sending',
      'sent',
      'canceled',
      'failed',
      'undelivered',
      'delivered',
      'read',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...rank), { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (statuses, atOnce) => {
          const [id, sid] = [await send(), newSid()];
          const sendOne = async (status: string) => {
            expect(
              (await sendStatus({ MessageSid: sid, MessageStatus: status }, { message: id }))
                .status,
            ).toBe(200);
          };
          if (atOnce) await Promise.all(statuses.map(sendOne));
          else for (const status of statuses) await sendOne(status);
          const highest = statuses.toSorted((a, b) => rank.indexOf(b) - rank.indexOf(a))[0];
          expect(await read(id)).toMatchObject({
            provider_sid: sid,
            status: highest === 'accepted' ? 'queued' : highest,
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a later status callback without an error code keeps the earlier error code', async () => {
    const [id, sid] = [await send(), newSid()];
    await sendStatus(
      { MessageSid: sid, MessageStatus: 'failed', ErrorCode: '30008' },
      { message: id },
    );
    await sendStatus({ MessageSid: sid, MessageStatus: 'undelivered' }, { message: id });
    expect(await read(id)).toMatchObject({
      status: 'undelivered',
      error_code: '30008',
      error_detail: expect.any(String),
    });
  });

  test('a status callback with an unknown status is recorded and changes nothing', async () => {
    const [id, sid] = [await send(), newSid()];
    await sendStatus({ MessageSid: sid, MessageStatus: 'sent' }, { message: id });
    expect(
      (await sendStatus({ MessageSid: sid, MessageStatus: 'teleported' }, { message: id })).status,
    ).toBe(200);
    const message = await read(id);
    expect(message).toMatchObject({ status: 'sent' });
    expect(JSON.stringify(message['events'])).toContain('teleported');
  });

  test('an unmatched status callback is stored and applied when a message receives the identifier', async () => {
    const [id, sid] = [await send(), newSid()];
    expect((await sendStatus({ MessageSid: sid, MessageStatus: 'delivered' })).status).toBe(200);
    expect(
      (await sendStatus({ MessageSid: sid, MessageStatus: 'failed', ErrorCode: '30005' })).status,
    ).toBe(200);
    expect(await service.countRows('unmatched_callbacks')).toBe(2);
    expect(await read(id)).toMatchObject({ status: 'queued', provider_sid: null });
    await sendStatus({ MessageSid: sid, MessageStatus: 'queued' }, { message: id });
    expect(await read(id)).toMatchObject({
      status: 'delivered',
      provider_sid: sid,
      // The error of a status with a lower rank is ignored.
      error_code: null,
    });
    expect(await service.countRows('unmatched_callbacks')).toBe(0);
  });

  test('a status callback with an unknown message id is stored as unmatched', async () => {
    for (const message of ['01920000-0000-7000-8000-000000000000', 'nonsense', '%00']) {
      expect(
        (await sendStatus({ MessageSid: newSid(), MessageStatus: 'sent' }, { message })).status,
      ).toBe(200);
    }
    await service.sql('DELETE FROM unmatched_callbacks');
  });

  test('a second identifier for a message does not replace the first one', async () => {
    const [id, first, second] = [await send(), newSid(), newSid()];
    await sendStatus({ MessageSid: first, MessageStatus: 'sent' }, { message: id });
    expect(
      (await sendStatus({ MessageSid: second, MessageStatus: 'delivered' }, { message: id }))
        .status,
    ).toBe(200);
    expect(await read(id)).toMatchObject({ provider_sid: first, status: 'sent' });
  });

  test('the signature of a status callback is verified with empty, non-Latin and encoded fields', async () => {
    const [id, sid] = [await send(), newSid()];
    const fields = {
      MessageSid: sid,
      MessageStatus: 'sent',
      Body: 'ünï & = + % 你好 👍',
      To: TO,
      Empty: '',
      'we ird[]': 'a b',
      RawDlrDoneDate: '2611200442',
    };
    expect((await sendStatus(fields, { message: id })).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'sent' });
  });

  test('a status callback without a required field or with a NUL in one is refused, and a NUL in another field is accepted', async () => {
    const required = { MessageSid: newSid(), MessageStatus: 'sent' };
    for (const name of Object.keys(required)) {
      expectRefusal(
        await sendStatus({ ...required, [name]: '' }),
        400,
        'missing_params',
        new RegExp(name),
      );
    }
    for (const name of [...Object.keys(required), 'ErrorCode', 'From']) {
      const id = await send();
      const response = await sendStatus(
        { ...required, MessageSid: newSid(), [name]: 'a\0b' },
        { message: id },
      );
      // Fields that select the message and the status must be valid.
      const isRefused = name in required;
      expect(response.status).toBe(isRefused ? 400 : 200);
      expect((await read(id))['status']).toBe(isRefused ? 'queued' : 'sent');
    }
    expect(await service.countRows('unmatched_callbacks')).toBe(0);
  });
});

test('many repeated and shuffled status callbacks leave every message as delivered', async () => {
  const messages = await mapBounded(numbersTo(30), async () => ({
    id: await send(),
    sid: newSid(),
  }));
  const calls = messages.flatMap((message) =>
    ['queued', 'sent', 'delivered'].flatMap((status) =>
      [1, 2, 3].map((turn) => ({ ...message, status, turn })),
    ),
  );
  const shuffled = calls.toSorted((a, b) => hash(a) - hash(b));
  await sendEach(
    shuffled,
    ({ id, sid, status }) =>
      sendStatus({ MessageSid: sid, MessageStatus: status }, { message: id }),
    { status: 200 },
  );
  for (const { id, sid } of messages)
    expect(await read(id)).toMatchObject({ status: 'delivered', provider_sid: sid });
  // The events of a workspace are numbered without gaps in each slot.
  const rows = await service.sql('SELECT seq FROM message_events WHERE workspace_id = $1', [
    workspace.workspaceId,
  ]);
  const seqs = rows.map((row) => Number(row['seq'])).toSorted((a, b) => a - b);
  const isFirst = (seq: number) => seq === startOfSlot(slotOf(seq)) + 1;
  expect(seqs.filter((seq, index) => !isFirst(seq) && seqs[index - 1] !== seq - 1)).toEqual([]);
});

/** Returns a sort key that shuffles in the same way in every run. */
function hash({ sid, status, turn }: { sid: string; status: string; turn: number }): number {
  return [...`${sid}${status}${turn}`].reduce(
    (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003,
    7,
  );
}
