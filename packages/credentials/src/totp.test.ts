import { expect, test } from 'vitest';
import { fromBase32, toBase32 } from './base32.ts';
import {
  createRecoveryCodes,
  createTotpCode,
  createTotpSecret,
  findTotpStep,
  hashRecoveryCode,
  toTotpStep,
  toTotpUri,
} from './index.ts';

/** The secret of RFC 6238, appendix B, for SHA-1. */
const RFC_SECRET = toBase32(Buffer.from('12345678901234567890'));

test('codes are those of RFC 6238', () => {
  // Appendix B has eight digits, of which a code of six digits has the last ones.
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ];
  for (const [seconds, code] of vectors) {
    const step = toTotpStep(seconds * 1_000);
    expect(createTotpCode(RFC_SECRET, step)).toBe(code.slice(-6));
    expect(findTotpStep(RFC_SECRET, code.slice(-6), seconds * 1_000)).toBe(step);
  }
});

test('base32 is that of RFC 4648 without padding', () => {
  for (const [text, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const) {
    expect(toBase32(Buffer.from(text))).toBe(encoded);
    expect(fromBase32(encoded).toString()).toBe(text);
  }
  const secret = createTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(toBase32(fromBase32(secret))).toBe(secret);
  expect(createTotpSecret()).not.toBe(secret);
});

test('a code of the step before or after is accepted, and no other one', () => {
  const secret = createTotpSecret();
  const now = 1_000_000_015_000;
  const step = toTotpStep(now);
  const found = [-2, -1, 0, 1, 2].map((drift) =>
    findTotpStep(secret, createTotpCode(secret, step + drift), now),
  );
  expect(found).toEqual([null, step - 1, step, step + 1, null]);
  for (const wrong of ['', '12345', '1234567', '①23456']) {
    expect(findTotpStep(secret, wrong, now)).toBeNull();
  }
});

test('the URI has no plus sign and no colon in its parts, which apps would show or split', () => {
  const uri = toTotpUri('ABC', { issuer: 'a: b', label: 'ada+sms@example.com' });
  expect(uri).toBe(
    'otpauth://totp/a%3A%20b:ada%2Bsms%40example.com?secret=ABC&issuer=a%3A%20b&algorithm=SHA1&digits=6&period=30',
  );
});

test('ten recovery codes of 80 bits are found however they are typed', () => {
  const codes = createRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    for (const typed of [
      code.toUpperCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' – ')}\n`,
      code.replaceAll('0', 'O').replaceAll('1', 'l'),
    ]) {
      expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode(code));
    }
  }
  expect(hashRecoveryCode('0000')).not.toEqual(hashRecoveryCode('0001'));
});
