import type {
  Conversation,
  ConversationList,
  FoundMessages,
  Message,
} from '@switchboard/contracts';
import { describe, expect, test } from 'vitest';
import { addToConversations, appendConversations, putConversation } from './conversation-cache.ts';
import { type ThreadPages, addToThread, joinThread } from './thread-cache.ts';

const THEM = '+14155550100';
const OURS = '+15005550006';

function message(id: number, more: Partial<Message> = {}): Message {
  return {
    id: `01a1f7b3-89b6-7000-8000-${String(id).padStart(12, '0')}`,
    direction: 'outbound',
    mode: 'live',
    to: more.direction === 'inbound' ? OURS : THEM,
    from: more.direction === 'inbound' ? THEM : OURS,
    body: `Text ${id}`,
    status: 'sent',
    provider_sid: null,
    created_at: '2026-11-20T12:00:00.000Z',
    error_code: null,
    error_detail: null,
    media: [],
    segments: 1,
    updated_at: '2026-11-20T12:00:00.000Z',
    scheduled_at: null,
    sent_at: null,
    delivered_at: null,
    provider: null,
    sent_by: null,
    repeat_of: null,
    reference: null,
    metadata: {},
    encoding: 'as_is',
    ...more,
  };
}

const received = (id: number) => message(id, { direction: 'inbound', status: 'received' });

describe('thread cache', () => {
  const thread = (...pages: FoundMessages[]): ThreadPages => ({
    pages,
    pageParams: [null, ...pages.slice(1).map(() => null)],
  });
  const bodies = (pages: ThreadPages) => joinThread(pages).map(({ body }) => body);
  const page = (data: Message[], next: string | null = null): FoundMessages => ({ data, next });

  test('a thread has the messages of all its pages, oldest first', () => {
    const newest = page([message(4), received(3)], message(3).id);
    const pages = thread(newest, page([received(2), message(1)]));
    expect(bodies(pages)).toEqual(['Text 1', 'Text 2', 'Text 3', 'Text 4']);
  });

  test('a thread adds no message that changes before its page is loaded', () => {
    const pages = thread(page([message(4), received(3)], message(3).id));
    const changed = message(1, { status: 'delivered' });
    expect(bodies(addToThread(pages, [changed, received(5)]))).toEqual([
      'Text 3',
      'Text 4',
      'Text 5',
    ]);
  });

  test('a thread adds a new message once, updates a status in place and ignores older states', () => {
    const pages = thread(page([received(2), message(1)]));
    const changed = message(1, { status: 'delivered', updated_at: '2026-11-20T12:00:01.000Z' });
    const stale = message(1, { status: 'queued', updated_at: '2026-11-20T11:59:59.000Z' });
    const after = addToThread(addToThread(pages, [changed, received(3)]), [stale, received(3)]);
    expect(joinThread(after).map(({ body, status }) => [body, status])).toEqual([
      ['Text 1', 'delivered'],
      ['Text 2', 'received'],
      ['Text 3', 'received'],
    ]);
  });
});

function conversation(
  number: string,
  last_message: Message,
  more: Partial<Conversation> = {},
): Conversation {
  const nothing = {
    contact: null,
    unread_count: 0,
    assignee: null,
    opted_out: false,
    opt_out_suspected: false,
  };
  return { number, last_message, ...nothing, state: 'open', ...more };
}

describe('conversation cache', () => {
  const BOB = '+14155550102';
  const loaded: ConversationList = {
    data: [conversation(BOB, message(5, { to: BOB })), conversation(THEM, message(2))],
    next: null,
  };
  const summary = ({ data }: ConversationList) =>
    data.map(({ number, last_message }) => [number, last_message.body]);

  test('a new message moves its conversation to the top, without a duplicate', () => {
    expect(summary(addToConversations(loaded, [received(7), received(8)]))).toEqual([
      [THEM, 'Text 8'],
      [BOB, 'Text 5'],
    ]);
  });

  test('a status change does not move a conversation', () => {
    expect(addToConversations(loaded, [message(1, { status: 'delivered' })])).toBe(loaded);
    const changed = message(2, { status: 'delivered', updated_at: '2026-11-20T12:00:01.000Z' });
    const after = addToConversations(loaded, [changed]);
    expect(summary(after)).toEqual(summary(loaded));
    expect(after.data[1]?.last_message.status).toBe('delivered');
  });

  test('a received message is unread and reopens its conversation, and a sent one does neither', () => {
    const closed = conversation(THEM, message(2), { unread_count: 1, state: 'closed' });
    const shown = { data: [closed], next: null };
    const [received5] = addToConversations(shown, [received(5)]).data;
    expect(received5).toMatchObject({ unread_count: 2, state: 'open' });
    const [sent] = addToConversations(shown, [message(5)]).data;
    expect(sent).toMatchObject({ unread_count: 1, state: 'closed' });
    // The same message again, for example with a new status, is not unread twice.
    const again = addToConversations({ data: [received5 ?? closed], next: null }, [received(5)]);
    expect(again.data[0]?.unread_count).toBe(2);
  });

  test('a changed conversation is replaced in place, and removed when the list no longer shows it', () => {
    const changed = conversation(THEM, message(2), { assignee: { id: 'ada', name: 'Ada' } });
    expect(putConversation(loaded, changed, true).data[1]).toBe(changed);
    expect(summary(putConversation(loaded, changed, false))).toEqual([[BOB, 'Text 5']]);
    const unlisted = conversation('+14155550199', message(9));
    expect(putConversation(loaded, unlisted, true)).toBe(loaded);
  });

  test('a filtered list of conversations adds none that may not match the filter', () => {
    const added = addToConversations(loaded, [message(9, { to: '+14155550103' })], () => false);
    expect(added).toBe(loaded);
  });

  test('the first message of a number adds its conversation at the top', () => {
    const after = addToConversations(loaded, [message(9, { to: '+14155550103' })]);
    expect(summary(after)[0]).toEqual(['+14155550103', 'Text 9']);
  });

  test('an old message of a conversation that is not loaded yet adds no row', () => {
    const changed = message(1, { to: '+14155550104', status: 'delivered' });
    expect(addToConversations({ ...loaded, next: 'x' }, [changed])).toEqual({
      ...loaded,
      next: 'x',
    });
  });

  test('the list of conversations has a maximum length, and dropped conversations can be loaded again', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => message(10 + n, { to: `+1415556${n}` }));
    const after = addToConversations(loaded, many);
    expect(after.data.length).toBeLessThan(300);
    expect(after.data[0]?.last_message.body).toBe('Text 1009');
    expect(after.next).toBe(after.data.at(-1)?.last_message.id);
  });

  test('a conversation that moved up while the next page was loading has one row', () => {
    const page = { data: [conversation(BOB, message(1, { to: BOB }))], next: null };
    expect(appendConversations(loaded, page)).toEqual(loaded);
  });
});
