import { conversation } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../start-service.ts';
import {
  ADA,
  BOB,
  client,
  eventsPath,
  follow,
  receive,
  send,
  service,
  useInbox,
  workspace,
} from './environment.ts';

useInbox();

const change = (json: object) => client('/keyword-replies', { method: 'PATCH', json });
const refusalOf = async (number: string) => (await send(number)).json?.['error'];

async function find(number: string) {
  const response = await client(`/conversations/${encodeURIComponent(number)}`);
  return conversation.strict().parse(response.json);
}

describe('opt-out words', () => {
  test('punctuation, emoji and invisible characters around STOP and START do not matter', async () => {
    await receive(ADA, '“Stop”!\u200B 🛑');
    expect(await refusalOf(ADA)).toBe('recipient_opted_out');
    await receive(ADA, 'Start.');
    expect(await refusalOf(ADA)).toBeUndefined();
    await receive(ADA, 'don’t stop');
    expect(await refusalOf(ADA)).toBeUndefined();
  });

  test('a workspace’s own words opt out, opt in and request help in this workspace only', async () => {
    const words = {
      opt_out_words: ['Baja', 'ya no más'],
      opt_in_words: ['alta'],
      help_words: ['Ayuda'],
    };
    const changed = await change({ ...words, help: 'Llame al 555 0100.' });
    expect(changed.json).toMatchObject(words);
    const replies = async () =>
      (
        await service.sql<{ body: string }>(
          `SELECT body FROM messages WHERE workspace_id = $1 AND direction = 'outbound' AND "to" = $2 ORDER BY id`,
          [workspace.workspaceId, ADA],
        )
      ).map(({ body }) => body);

    await receive(ADA, '¡BAJA!');
    expect(await refusalOf(ADA)).toBe('recipient_opted_out');
    expect(await find(ADA)).toMatchObject({ opted_out: true });
    await receive(ADA, 'alta');
    expect(await find(ADA)).toMatchObject({ opted_out: false });
    await receive(ADA, 'ayuda?');
    expect(await replies()).toEqual([
      expect.stringContaining('unsubscribed'),
      expect.stringContaining('subscribed again'),
      'Llame al 555 0100.',
    ]);
    await receive(ADA, 'Ya no mas.');
    expect(await refusalOf(ADA)).toBe('recipient_opted_out');

    await receive(BOB, 'baja ahora');
    expect(await find(BOB)).toMatchObject({ opted_out: false, opt_out_suspected: false });
    await change({ opt_out_words: [] });
    await receive(BOB, 'baja');
    expect(await find(BOB)).toMatchObject({ opted_out: false });
  });

  test('concurrent messages with opt-out words of their workspace are each stored once, with their effect', async () => {
    await change({ opt_out_words: ['baja'] });
    const numbers = Array.from({ length: 12 }, (_, n) => `+1415555${1_000 + n}`);
    await Promise.all(numbers.map((number, n) => receive(number, n % 2 === 0 ? 'Baja' : 'Hola')));
    const optedOut = await Promise.all(
      numbers.map(async (number) => (await find(number)).opted_out),
    );
    expect(optedOut).toEqual(numbers.map((_, n) => n % 2 === 0));
    const [stored] = await service.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM messages WHERE workspace_id = $1 AND direction = 'inbound'`,
      [workspace.workspaceId],
    );
    expect(stored?.n).toBe(12);
  });

  test.each([
    [{ opt_out_words: ['baja'], help_words: ['BAJA!'] }, 'help_words', 'opt_out_words'],
    [{ opt_in_words: ['stop'] }, 'opt_in_words', 'opt_out'],
    [{ opt_out_words: ['Info'] }, 'opt_out_words', 'help'],
    [{ opt_out_words: ['…!'] }, 'opt_out_words', 'letter'],
    [{ opt_out_words: [''] }, 'opt_out_words', 'characters'],
    [{ help_words: ['x'.repeat(101)] }, 'help_words', '100'],
    [{ opt_in_words: Array.from({ length: 51 }, (_, n) => `word ${n}`) }, 'opt_in_words', '50'],
    [{ opt_out_words: 'baja' }, 'opt_out_words', 'list'],
    [{ opt_out_words: [5] }, 'opt_out_words', 'string'],
  ])('%j is refused, and the response names %s', async (json, parameter, reason) => {
    const response = await change(json);
    expectRefusal(response, 400, 'invalid_params');
    expect(response.json?.['detail']).toContain(parameter);
    expect(response.json?.['detail']).toContain(reason);
    expect((await client('/keyword-replies')).json).toMatchObject({
      opt_out_words: [],
      opt_in_words: [],
      help_words: [],
    });
  });

  test('a word that another list has since an earlier change is refused, and a change is in the audit trail', async () => {
    const list = Array.from({ length: 50 }, (_, n) => `${'x'.repeat(90)} ${n}`);
    expect((await change({ opt_out_words: list })).json).toMatchObject({ opt_out_words: list });
    await change({ opt_out_words: ['baja', 'fuera'] });
    const refused = await change({ opt_in_words: ['Fuera'] });
    expectRefusal(refused, 400, 'invalid_params');
    expect(refused.json?.['detail']).toContain('opt_out_words');
    const audit = await client('/audit?limit=1');
    expect(audit.json).toMatchObject({
      data: [
        { action: 'keyword_replies.changed', detail: { opt_out_words: { to: 'baja, fuera' } } },
      ],
    });
  });
});

describe('suspected opt-outs', () => {
  test('a sentence that asks for no more messages is marked, live, until a member dismisses it', async () => {
    await receive(ADA);
    expect(await find(ADA)).toMatchObject({ opt_out_suspected: false });
    const { frames, close } = await follow(
      eventsPath(workspace.workspaceId),
      workspace.sessionToken,
    );
    await receive(ADA, 'Please stop texting me');
    await expect
      .poll(() => frames.filter(({ type }) => type === 'conversation.updated'), EVENTUALLY)
      .toMatchObject([
        { conversation: { number: ADA, opt_out_suspected: true, opted_out: false } },
      ]);
    expect(await refusalOf(ADA)).toBeUndefined();
    const dismiss = (opt_out_suspected: unknown) =>
      client(`/conversations/${ADA}`, { method: 'PATCH', json: { opt_out_suspected } });
    expectRefusal(await dismiss(true), 400, 'invalid_params');
    expect((await dismiss(false)).json).toMatchObject({ opt_out_suspected: false, state: 'open' });
    expect(await find(ADA)).toMatchObject({ opt_out_suspected: false });
    await receive(ADA, 'Take me off your list!');
    expect(await find(ADA)).toMatchObject({ opt_out_suspected: true });
    await receive(ADA, 'Thanks');
    expect(await find(ADA)).toMatchObject({ opt_out_suspected: true });
    close();
  });

  test('an opt-out confirms it, and its end does not bring it back', async () => {
    await receive(ADA, 'unsubscribe me please');
    const { frames, close } = await follow(
      eventsPath(workspace.workspaceId),
      workspace.sessionToken,
    );
    await client('/opt-outs', { json: { number: ADA } });
    await expect
      .poll(() => frames.filter(({ type }) => type === 'conversation.updated'), EVENTUALLY)
      .toMatchObject([
        { conversation: { number: ADA, opt_out_suspected: false, opted_out: true } },
      ]);
    await client(`/opt-outs/${encodeURIComponent(ADA)}`, { method: 'DELETE' });
    expect(await find(ADA)).toMatchObject({ opt_out_suspected: false, opted_out: false });

    await receive(BOB, 'stop sending me messages');
    await receive(BOB, 'STOP');
    await receive(BOB, 'START');
    expect(await find(BOB)).toMatchObject({ opt_out_suspected: false, opted_out: false });
    close();
  });
});
