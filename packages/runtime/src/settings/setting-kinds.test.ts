import { readNetworks } from '@switchboard/core';
import { expect, test } from 'vitest';
import {
  booleanSetting,
  httpBaseSetting,
  integerSetting,
  limitSetting,
  networksSetting,
  redisUrlSetting,
  pairsSetting,
  ratioSetting,
  risingIntegersSetting,
  secretKeysSetting,
  urlSetting,
} from './setting-kinds.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');

test.each(['', ' ', '1.5', '1e3', '0x10', 'NaN', '-1', '11', '1 0', '٣'])(
  'an integer setting refuses %j',
  (text) => {
    expect(integerSetting({ min: 0, max: 10 }).schema.safeParse(text).success).toBe(false);
  },
);

test('an integer setting accepts both bounds', () => {
  const schema = integerSetting({ min: 0, max: 10 }).schema;
  expect([schema.parse('0'), schema.parse('10')]).toEqual([0, 10]);
});

test('a limit setting must be a whole number from 1 to 1,000,000,000, or none', () => {
  const schema = limitSetting().schema;
  expect(['1', '1000000000', 'none'].map((text) => schema.parse(text))).toEqual([
    1,
    1_000_000_000,
    Infinity,
  ]);
  for (const text of ['', '0', '-1', '1.5', '1e3', '1000000001', 'None', 'Infinity', 'off']) {
    const { error } = schema.safeParse(text);
    expect(error?.issues[0]?.message, text).toBe(
      'must be a whole number from 1 to 1000000000, or none',
    );
  }
});

test('a list of numbers is accepted with or without spaces, in ascending order and within its bounds', () => {
  const schema = risingIntegersSetting({ min: 1, max: 100, maxLength: 3 }).schema;
  expect(schema.parse('1, 20,100')).toEqual([1, 20, 100]);
  for (const text of ['', '1,', '0,1', '1,1', '2,1', '1,101', '1,2,3,4', '1;2', '1.5']) {
    expect(schema.safeParse(text).success, text).toBe(false);
  }
});

test('a boolean setting accepts true, false, 1 and 0, and refuses other texts', () => {
  expect(['true', '1', 'false', '0'].map((text) => booleanSetting().schema.parse(text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(booleanSetting().schema.safeParse('yes').success).toBe(false);
});

test('a URL setting must have one of the schemes and a host', () => {
  const schema = urlSetting(['redis', 'rediss']).schema;
  expect(schema.parse('rediss://:pass@host:6379/1')).toBe('rediss://:pass@host:6379/1');
  for (const text of [
    'host:6379',
    'redis:',
    'redis://',
    'redis:///',
    'http://host',
    'redis:/host',
  ]) {
    expect(schema.safeParse(text).success, text).toBe(false);
  }
});

test('a database on a local socket needs no host', () => {
  const text = 'postgresql:///switchboard?host=/var/run/postgresql';
  expect(urlSetting(['postgres', 'postgresql']).schema.parse(text)).toBe(text);
});

test('an HTTP URL loses its last slash and must not have credentials, a query or a fragment', () => {
  expect(httpBaseSetting().schema.parse('http://host:1/base/')).toBe('http://host:1/base');
  for (const text of ['http://u:p@host', 'http://host?x=1', 'http://host/#x', 'ftp://host']) {
    expect(httpBaseSetting().schema.safeParse(text).success, text).toBe(false);
  }
});

test('secret keys must be 32 bytes each, with distinct versions', () => {
  const { success } = secretKeysSetting().schema.safeParse(`2:${KEY},1:${KEY}`);
  expect(success).toBe(true);
  for (const text of [KEY.slice(1), `${KEY},${KEY}`, `0:${KEY}`, `${KEY},`, `a:${KEY}`]) {
    expect(secretKeysSetting().schema.safeParse(text).success, text).toBe(false);
  }
});

test('the error for a wrong Redis URL or for its missing files does not repeat the URL', () => {
  expect(redisUrlSetting().schema.parse('redis+cluster://a:1,b:2')).toBe('redis+cluster://a:1,b:2');
  const messageOf = (text: string) =>
    redisUrlSetting().schema.safeParse(text).error?.issues[0]?.message;
  expect(messageOf('redis+sentinel://:secret@a')).toBe(
    "must name the sentinels' master after the hosts: …/mymaster",
  );
  expect(messageOf('rediss://a?ca=/nowhere')).toBe(
    "names a file as ca that can't be read (ENOENT)",
  );
});

test('a ratio setting must be a number from 0 to 1', () => {
  expect(['0', '0.01', '1', '1.0'].map((text) => ratioSetting().schema.parse(text))).toEqual([
    0, 0.01, 1, 1,
  ]);
  for (const text of ['', '1.1', '2', '-0.5', '.5', '1e-3', '10%']) {
    expect(ratioSetting().schema.safeParse(text).success, text).toBe(false);
  }
});

test('pairs are names with values, which may be percent-encoded, and an error never repeats them', () => {
  expect(pairsSetting().schema.parse('authorization=Bearer%20a=b, x-scope=1')).toEqual({
    authorization: 'Bearer a=b',
    'x-scope': '1',
  });
  for (const text of ['', 'secret', '=secret', 'a=', 'a=1,,b=2', 'a=%zz', 'two words=1']) {
    const { success, error } = pairsSetting().schema.safeParse(text);
    expect(success, text).toBe(false);
    expect(error?.message).not.toContain('secret');
  }
});

test('networks have an address of either family and a prefix length', () => {
  const schema = networksSetting().schema;
  expect(schema.parse('192.168.1.0/24, fd00::/8')).toEqual(
    readNetworks('192.168.1.0/24', 'fd00::/8'),
  );
  for (const text of [
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    'fd00::/129',
    '10.1/8',
    'host/8',
    '1.1.1.1/',
  ]) {
    expect(schema.safeParse(text).success, text).toBe(false);
  }
});
