import { expect, test } from 'vitest';
import { createLagMeter, parseLogPosition } from './replica-lag.ts';

test('positions of the write-ahead log are compared as numbers, not as texts', () => {
  expect(parseLogPosition('9/FFFFFFFF') < parseLogPosition('A/0')).toBe(true);
  expect(parseLogPosition('0/9') < parseLogPosition('0/10')).toBe(true);
});

test('the lag is the age of the newest position that was replayed', () => {
  const meter = createLagMeter(10_000);
  expect(meter.lagMs(5n, 0)).toBe(Infinity);
  meter.recordWritten(100n, 1_000);
  meter.recordWritten(200n, 2_000);
  meter.recordWritten(300n, 3_000);
  expect(meter.lagMs(300n, 3_010)).toBe(10);
  expect(meter.lagMs(299n, 3_010)).toBe(1_010);
  expect(meter.lagMs(99n, 3_010)).toBe(Infinity);
});

test('the lag is small without writes, and grows while the primary does not respond', () => {
  const meter = createLagMeter(10_000);
  meter.recordWritten(100n, 1_000);
  meter.recordWritten(100n, 9_000);
  expect(meter.lagMs(100n, 9_005)).toBe(5);
  expect(meter.lagMs(100n, 29_000)).toBe(20_000);
});

test('positions of a lost primary beyond those of its successor are removed', () => {
  const meter = createLagMeter(10_000);
  meter.recordWritten(500n, 1_000);
  meter.recordWritten(400n, 2_000);
  expect(meter.lagMs(400n, 2_100)).toBe(100);
});
