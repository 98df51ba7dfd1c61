import type { BusNotice } from '@switchboard/core';
import { describe, expect, it } from 'vitest';

import { isSentBy, packNotices, unpackNotices } from './pack-notices.ts';

function message(seq: number): BusNotice {
  return { kind: 'message', workspaceId: 'w'.repeat(36), messageId: 'm'.repeat(36), seq };
}

describe('packing notices', () => {
  const kinds: BusNotice[] = [
    message(Number.MAX_SAFE_INTEGER),
    { kind: 'session_ended', sessionId: 's' },
    { kind: 'api_key_revoked', apiKeyId: 'k' },
    { kind: 'member_removed', workspaceId: 'w', userId: 'u' },
  ];

  it('carries every kind of notice there is', () => {
    expect(packNotices('me', kinds).flatMap(unpackNotices)).toEqual(kinds);
  });

  it('keeps every payload below what NOTIFY carries, and the order over all of them', () => {
    const notices = Array.from({ length: 1_000 }, (_, seq) => message(seq));
    const payloads = packNotices('me', notices);
    expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(7_500);
    expect(payloads.length).toBeLessThan(25);
    expect(payloads.flatMap(unpackNotices)).toEqual(notices);
  });

  it('counts bytes, not characters', () => {
    const notices = Array.from({ length: 10 }, (): BusNotice => ({
      kind: 'session_ended',
      sessionId: '✉'.repeat(1_000),
    }));
    const sizes = packNotices('me', notices).map((payload) => Buffer.byteLength(payload));
    expect(Math.max(...sizes)).toBeLessThan(7_500);
  });

  it('sends no payload without a notice', () => {
    const large: BusNotice = { kind: 'session_ended', sessionId: 'x'.repeat(6_950) };
    expect(packNotices('me', [large, large]).map((one) => unpackNotices(one))).toEqual([
      [large],
      [large],
    ]);
    expect(packNotices('me', [])).toEqual([]);
  });

  it('lets every payload be known by its sender, and by no other name', () => {
    const payloads = packNotices(
      'me',
      Array.from({ length: 1_000 }, (_, seq) => message(seq)),
    );
    expect(payloads.every((payload) => isSentBy('me', payload))).toBe(true);
    expect(payloads.some((payload) => isSentBy('m', payload))).toBe(false);
    expect(isSentBy('me', JSON.stringify([message(1)]))).toBe(false);
  });

  it('refuses a notice that no payload could carry', () => {
    expect(() =>
      packNotices('me', [{ kind: 'session_ended', sessionId: 'x'.repeat(8_000) }]),
    ).toThrow(RangeError);
  });
});

describe('unpacking notices', () => {
  it('leaves out what a newer version may send, and keeps the rest', () => {
    const payload = JSON.stringify([{ kind: 'of tomorrow' }, null, 7, message(1), { seq: 2 }]);
    expect(unpackNotices(payload)).toEqual([message(1)]);
  });

  it('leaves out a notice that lacks a field', () => {
    expect(unpackNotices('[{"kind":"message","workspaceId":"w","seq":1}]')).toEqual([]);
  });

  it('throws on what is no payload at all', () => {
    expect(() => unpackNotices('{"kind":"message"}')).toThrow(TypeError);
    expect(() => unpackNotices('hello')).toThrow(SyntaxError);
  });
});
