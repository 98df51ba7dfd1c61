import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimAndDie } from './claim-and-die.ts';
import { FROM, startEnvironment } from './start-environment.ts';

/**
 * The simulator accepts messages to this number and answers 500. Callbacks do not arrive in this
 * file.
 */
const ANSWERED_500 = '+15005550021';
const RECIPIENT = '+14155550100';
const toMedia = (urls: readonly string[]) => urls.map((url) => ({ url, content_type: null }));

let environment: Awaited<ReturnType<typeof startEnvironment>>;
let worker: Awaited<ReturnType<typeof environment.startWorker>>;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  environment = await startEnvironment({ settings: { POLL_MS: '3600000' } }, (end) =>
    ends.push(end),
  );
  worker = await environment.startWorker({
    PROVIDER_TIMEOUT_MS: '3500',
    LEASE_MS: '9000',
    UNKNOWN_LOOKUPS_MS: '500,1000,4000',
  });
});
afterAll(async () => {
  for (const end of ends) await end();
});
beforeEach(() => environment.behave({ trial_prefix: 0, clock_offset_ms: 0 }));

const isOver = ({ dispatch }: { dispatch: string }) =>
  dispatch === 'accepted' || dispatch === 'unresolved';

async function detailsOf(id: string): Promise<string> {
  const { rows } = await environment.database.pool.query<{ detail: string | null }>(
    'SELECT detail FROM message_timeline WHERE message_id = $1 ORDER BY message_version',
    [id],
  );
  return rows.map(({ detail }) => detail ?? '').join('\n');
}

/** Sends a request that belongs to no row. */
async function sendAsAnother(accountSid: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(
    `${environment.simulator.url}/2010-04-01/Accounts/${accountSid}/Messages.json`,
    {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${accountSid}:token of ${accountSid}`)}`,
        connection: 'close',
      },
      body: new URLSearchParams({ To: RECIPIENT, From: FROM, ...form }),
    },
  );
  expect(response.status).toBe(201);
  return ((await response.json()) as { sid: string }).sid;
}

describe('messages with an unknown outcome', () => {
  test('a message with an unknown outcome is not sent again if the provider has its text with a trial prefix', async () => {
    await environment.behave({ trial_prefix: 1 });
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const { messageId } = await environment.accept(workspaceId, ANSWERED_500, {
      body: 'Your code: 1',
    });
    const row = await environment.until(messageId, isOver);
    expect(row).toMatchObject({
      dispatch: 'unresolved',
      error_code: 'outcome_unknown',
      resends: 0,
    });
    expect(await environment.ledger(accountSid)).toHaveLength(1);
    expect(await detailsOf(messageId)).toMatch(/Not sent again: .*changed text/);
  });

  test('a message with an unknown outcome is sent again if the provider’s messages to its recipient have no similar text', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const { messageId } = await environment.accept(workspaceId, RECIPIENT, {
      hint: false,
      body: 'Lunch?',
    });
    await claimAndDie(environment, [{ messageId, workspaceId, requestId: null }], () =>
      sendAsAnother(accountSid, { Body: 'Invoice 77 is due' }),
    );
    const row = await environment.until(messageId, isOver);
    expect(row).toMatchObject({ dispatch: 'accepted', resends: 1 });
    expect(await environment.ledger(accountSid)).toHaveLength(2);
  });

  test('a message with an unknown outcome is sent again if the similar text at the provider belongs to another message with an unknown outcome', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const accept = (body: string) =>
      environment.accept(workspaceId, RECIPIENT, { hint: false, body });
    const [sent, unsent] = [await accept('Your code: 111'), await accept('Your code: 222')];
    const sid = await claimAndDie(environment, [sent, unsent], () =>
      sendAsAnother(accountSid, { Body: 'Your code: 111' }),
    );
    expect(await environment.until(sent.messageId, isOver)).toMatchObject({ provider_sid: sid });
    expect(await environment.until(unsent.messageId, isOver)).toMatchObject({
      dispatch: 'accepted',
      resends: 1,
    });
    expect(await environment.ledger(accountSid)).toHaveLength(2);
  });

  test.each([-40_000, 40_000])(
    'a message with an unknown outcome is found although the provider’s clock is %i ms ahead of the database’s',
    async (offsetMs) => {
      await environment.behave({ clock_offset_ms: offsetMs });
      const { workspaceId, accountSid } = await environment.addWorkspace();
      const { messageId } = await environment.accept(workspaceId, ANSWERED_500, { body: 'skewed' });
      const row = await environment.until(messageId, isOver);
      expect(row).toMatchObject({ dispatch: 'accepted', sid_adopted: true, resends: 0 });
      expect(await environment.ledger(accountSid)).toHaveLength(1);
    },
  );

  test('a message with an unknown outcome does not adopt a message with the same text and a different number of media', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const accept = (...mediaUrls: string[]) =>
      environment.accept(workspaceId, RECIPIENT, {
        hint: false,
        body: 'See',
        media: toMedia(mediaUrls),
      });
    const sent = await accept('https://example.com/a.png', 'https://example.com/b.png');
    const unsent = await accept('https://example.com/c.png');
    const sid = await claimAndDie(environment, [sent, unsent], () =>
      sendAsAnother(accountSid, { Body: 'See', MediaUrl: 'https://example.com/c.png' }),
    );
    expect(await environment.until(unsent.messageId, isOver)).toMatchObject({ provider_sid: sid });
    expect(await environment.until(sent.messageId, isOver)).toMatchObject({
      dispatch: 'accepted',
      resends: 1,
    });
    expect(await environment.ledger(accountSid)).toHaveLength(2);
  });

  test('a message with an unknown outcome is neither adopted nor sent again if the provider has the same text with other media', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const accept = (url: string) =>
      environment.accept(workspaceId, RECIPIENT, {
        hint: false,
        body: 'Look',
        media: toMedia([url]),
      });
    const pair = [
      await accept('https://example.com/a.png'),
      await accept('https://example.com/b.png'),
    ];
    await claimAndDie(environment, pair, () =>
      sendAsAnother(accountSid, { Body: 'Look', MediaUrl: 'https://example.com/a.png' }),
    );
    for (const { messageId } of pair) {
      const row = await environment.until(messageId, isOver);
      expect(row).toMatchObject({ dispatch: 'unresolved', provider_sid: null, resends: 0 });
      expect(await detailsOf(messageId)).toMatch(/Not sent again: .*other media/);
    }
    expect(await environment.ledger(accountSid)).toHaveLength(1);
  });

  test('a message that is sent twice, without any callback, is reported in the timeline and the log', async () => {
    const { workspaceId, accountSid } = await environment.addWorkspace();
    const { messageId } = await environment.accept(workspaceId, RECIPIENT, {
      hint: false,
      body: 'late',
    });
    await claimAndDie(
      environment,
      [{ messageId, workspaceId, requestId: null }],
      async () => undefined,
    );
    expect(await environment.until(messageId, isOver)).toMatchObject({ resends: 1 });
    // The provider accepts the first attempt long after the hold.
    const sid = await sendAsAnother(accountSid, { Body: 'late' });
    // A poll finds it.
    await environment.database.pool.query(
      'UPDATE message_progress SET due_at = now() WHERE id = $1',
      [messageId],
    );
    await vi.waitFor(
      async () => {
        expect(await detailsOf(messageId)).toContain(
          `Sent twice: the provider also accepted it as ${sid}`,
        );
      },
      { ...EVENTUALLY, interval: 200 },
    );
    expect(worker.logs).toContainEqual(
      expect.objectContaining({ level: 'error', duplicate_sid: sid, message_id: messageId }),
    );
  });
});
