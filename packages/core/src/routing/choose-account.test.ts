import { expect, test } from 'vitest';
import {
  RECOVERY_MS,
  type RoutedMessage,
  chooseRoute,
  listRoutes,
  recoveredShare,
} from './choose-account.ts';
import { previewRoutes } from './preview-routes.ts';
import type { RoutedAccount, Routing } from './routing.ts';

const account = (id: string, fields: Partial<RoutedAccount> = {}): RoutedAccount => ({
  id,
  vendorAccountId: `account-${id}`,
  type: 'test',
  isDefault: id === 'a',
  isPaused: false,
  recoveredForMs: null,
  hasSenderPool: false,
  senders: [],
  ...fields,
});
const longCode = (number: string) => ({ number, kind: 'long_code' as const, isDefault: false });

const A = account('a', { senders: [longCode('+14155550001')] });
const B = account('b', { senders: [longCode('+14155550002')] });
const UK = account('uk', { senders: [longCode('+442071838750')] });
const ALL: Routing = { accounts: [A, B, UK], rules: [], failover: true };

const message = (fields: Partial<RoutedMessage> = {}): RoutedMessage => ({
  id: '01a1f8f1-54f4-7000-b000-03e09a2e335c',
  to: '+14155550199',
  from: '+14155550001',
  conversationSender: null,
  attempt: 0,
  resends: 0,
  provedResends: 0,
  providerId: null,
  vendorAccountId: null,
  failedAccounts: [],
  hasMedia: false,
  ...fields,
});
const idsOf = (routing: Routing, of: RoutedMessage) =>
  listRoutes(routing, of).map(({ account: { id }, from }) => [id, from]);

test('a message uses the account of its sender, then one with a sender of the same kind and country', () => {
  expect(idsOf(ALL, message())).toEqual([
    ['a', '+14155550001'],
    ['b', '+14155550002'],
  ]);
});

test('without failover, a message uses only the account of its sender', () => {
  expect(idsOf({ ...ALL, failover: false }, message())).toEqual([['a', '+14155550001']]);
});

test('a message in a conversation uses the number of the conversation', () => {
  const reply = message({ from: null, conversationSender: '+442071838750' });
  expect(idsOf(ALL, reply)).toEqual([['uk', '+442071838750']]);
});

test('an account that has certainly not sent the message is not tried again before the others', () => {
  const next = message({ providerId: 'a', failedAccounts: ['a'] });
  expect(chooseRoute(ALL, next)?.account.id).toBe('b');
  const paused = { ...ALL, accounts: [A, { ...B, isPaused: true }, UK] };
  expect(chooseRoute(paused, next)?.account.id).toBe('a');
});

test('a throttled account comes after the others, and before one that has failed since the last wait', () => {
  const throttled = { ...ALL, accounts: [{ ...A, isThrottled: true }, B, UK] };
  expect(chooseRoute(throttled, message())?.account.id).toBe('b');
  const next = message({ providerId: 'b', failedAccounts: ['b'] });
  expect(chooseRoute(throttled, next)?.account.id).toBe('a');
});

test('a message with media waits for an account that sends media, and is refused only if there is none', () => {
  const picture = message({ hasMedia: true });
  const textOnly = { ...A, isTextOnly: true };
  const paused = { ...ALL, accounts: [textOnly, { ...B, isPaused: true }, UK] };
  expect(idsOf(paused, picture)).toEqual([['b', '+14155550002']]);
  expect(chooseRoute(paused, picture)).toBeNull();
  expect(chooseRoute(paused, message())?.account.id).toBe('a');
  expect(chooseRoute({ ...ALL, accounts: [textOnly] }, picture)?.account.id).toBe('a');
});

test('a message whose accounts are all paused waits', () => {
  const paused = { ...ALL, accounts: ALL.accounts.map((each) => ({ ...each, isPaused: true })) };
  expect(chooseRoute(paused, message())).toBeNull();
});

test('a resend after a lookup by text stays with its account, even if it is paused', () => {
  const bound = message({
    resends: 1,
    providerId: 'b',
    vendorAccountId: 'account-b',
    from: '+14155550002',
  });
  expect(idsOf(ALL, bound)).toEqual([['b', '+14155550002']]);
  const paused = { ...ALL, accounts: [A, { ...B, isPaused: true }, UK] };
  expect(chooseRoute(paused, bound)).toBeNull();
  expect(chooseRoute(paused, { ...bound, provedResends: 1 })?.account.id).toBe('a');
});

test('a resend after a lookup by text has no route if its account now has the credentials of another one at the vendor', () => {
  const bound = message({ resends: 1, providerId: 'b', vendorAccountId: 'former' });
  expect(idsOf(ALL, bound)).toEqual([]);
});

test('the longest prefix wins, and its accounts share the messages by their weights', () => {
  const rules = [
    { prefix: '', providers: [{ providerId: 'uk', weight: 1 }] },
    {
      prefix: '+1',
      providers: [
        { providerId: 'a', weight: 3 },
        { providerId: 'b', weight: 1 },
      ],
    },
  ];
  const counts = new Map<string, number>();
  for (let n = 0; n < 4_000; n += 1) {
    const id = `01a1f8f1-54f4-7000-b000-${n.toString(16).padStart(12, '0')}`;
    const chosen = chooseRoute({ ...ALL, rules }, message({ id, from: null }));
    const name = chosen?.account.id ?? 'none';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted()).toEqual(['a', 'b']);
  expect((counts.get('a') ?? 0) / 4_000).toBeCloseTo(0.75, 1);
  const abroad = message({ to: '+442079460000', from: null });
  expect(chooseRoute({ ...ALL, rules }, abroad)?.account.id).toBe('uk');
});

test('an account that works again gets its share back gradually', () => {
  const shares = [0, RECOVERY_MS / 2, RECOVERY_MS, 10 * RECOVERY_MS].map((recoveredForMs) =>
    recoveredShare({ recoveredForMs }),
  );
  expect(shares).toEqual([0.1, 0.55, 1, 1]);
  const recovering = { ...ALL, accounts: [{ ...A, recoveredForMs: 0 }, B, UK] };
  let own = 0;
  for (let n = 0; n < 1_000; n += 1) {
    const id = `01a1f8f1-54f4-7000-b000-${n.toString(16).padStart(12, '0')}`;
    if (chooseRoute(recovering, message({ id }))?.account.id === 'a') own += 1;
  }
  expect(own).toBeGreaterThan(50);
  expect(own).toBeLessThan(150);
});

test('a rule whose accounts have no sender does not keep messages forever', () => {
  const rules = [{ prefix: '', providers: [{ providerId: 'empty', weight: 1 }] }];
  const routing = { ...ALL, accounts: [A, account('empty')], rules };
  expect(idsOf(routing, message({ from: null }))).toEqual([['a', '+14155550001']]);
});

test('a preview shows the shares of the accounts that would send a new message now', () => {
  const rules = [
    {
      prefix: '+1',
      providers: [
        { providerId: 'a', weight: 3 },
        { providerId: 'b', weight: 1 },
      ],
    },
  ];
  const preview = (
    routing: Routing,
    fields: { from?: string; conversationSender?: string } = {},
  ) => {
    const to = { to: '+14155550199', from: null, conversationSender: null, ...fields };
    const { prefix, routes } = previewRoutes(routing, to);
    return [prefix, ...routes.map(({ account: { id }, from, share }) => [id, from, share])];
  };
  const routing = { ...ALL, rules };
  const fromA = ['a', '+14155550001'];
  const fromB = ['b', '+14155550002'];
  expect(preview(routing)).toEqual(['+1', [...fromA, 0.75], [...fromB, 0.25]]);
  expect(preview(routing, { from: '+14155550002' })).toEqual(['+1', [...fromB, 1]]);
  expect(preview(routing, { conversationSender: '+14155550002' })).toEqual(['+1', [...fromB, 1]]);
  expect(preview(ALL)).toEqual([null, [...fromA, 1]]);
  const paused = { ...routing, accounts: [{ ...A, isPaused: true }, B, UK] };
  expect(preview(paused)).toEqual(['+1', [...fromB, 1]]);
  expect(preview({ ...paused, failover: false })).toEqual(['+1', [...fromB, 0.25]]);
});
