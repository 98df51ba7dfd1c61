import type { BusNotification } from '@switchboard/core';
import { describe, expect, test } from 'vitest';

import { isSentBy, packNotifications, unpackNotifications } from './pack-notifications.ts';

function message(seq: number): BusNotification {
  return { kind: 'message', workspaceId: 'w'.repeat(36), messageId: 'm'.repeat(36), seq };
}

describe('packNotifications', () => {
  const kinds: BusNotification[] = [
    message(Number.MAX_SAFE_INTEGER),
    { kind: 'session_ended', sessionId: 's' },
    { kind: 'api_key_revoked', apiKeyId: 'k' },
    { kind: 'member_removed', workspaceId: 'w', userId: 'u' },
    { kind: 'access_changed', id: 'w' },
    {
      kind: 'typing',
      workspaceId: 'w',
      number: '+1',
      userId: 'u',
      userName: 'Ada',
      isTyping: true,
    },
  ];

  test('every kind of notification can be packed and unpacked', () => {
    expect(packNotifications('me', kinds).flatMap(unpackNotifications)).toEqual(kinds);
  });

  test('every payload is shorter than the limit of NOTIFY, and the order is kept', () => {
    const notifications = Array.from({ length: 1_000 }, (_, seq) => message(seq));
    const payloads = packNotifications('me', notifications);
    expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(7_500);
    expect(payloads.length).toBeLessThan(25);
    expect(payloads.flatMap(unpackNotifications)).toEqual(notifications);
  });

  test('the length of a payload is counted in bytes, not characters', () => {
    const notifications = Array.from({ length: 10 }, (): BusNotification => ({
      kind: 'session_ended',
      sessionId: '✉'.repeat(1_000),
    }));
    const sizes = packNotifications('me', notifications).map((payload) =>
      Buffer.byteLength(payload),
    );
    expect(Math.max(...sizes)).toBeLessThan(7_500);
  });

  test('no payload is empty', () => {
    const large: BusNotification = { kind: 'session_ended', sessionId: 'x'.repeat(6_950) };
    expect(packNotifications('me', [large, large]).map((one) => unpackNotifications(one))).toEqual([
      [large],
      [large],
    ]);
    expect(packNotifications('me', [])).toEqual([]);
  });

  test('a payload matches only its own sender', () => {
    const payloads = packNotifications(
      'me',
      Array.from({ length: 1_000 }, (_, seq) => message(seq)),
    );
    expect(payloads.every((payload) => isSentBy('me', payload))).toBe(true);
    expect(payloads.some((payload) => isSentBy('m', payload))).toBe(false);
    expect(isSentBy('me', JSON.stringify([message(1)]))).toBe(false);
  });

  test('a notification that is longer than a payload is refused', () => {
    expect(() =>
      packNotifications('me', [{ kind: 'session_ended', sessionId: 'x'.repeat(8_000) }]),
    ).toThrow(RangeError);
  });
});

describe('unpackNotifications', () => {
  test('unknown kinds of notifications are ignored', () => {
    const payload = JSON.stringify([
      { kind: 'of a later release' },
      null,
      7,
      message(1),
      { seq: 2 },
    ]);
    expect(unpackNotifications(payload)).toEqual([message(1)]);
  });

  test('a notification without a required field is ignored', () => {
    expect(unpackNotifications('[{"kind":"message","workspaceId":"w","seq":1}]')).toEqual([]);
  });

  test('an invalid payload throws an error', () => {
    expect(() => unpackNotifications('{"kind":"message"}')).toThrow(TypeError);
    expect(() => unpackNotifications('hello')).toThrow(SyntaxError);
  });
});
