import { afterEach, expect, test } from 'vitest';
import { findInstants, toLocalInput, toLocalTime } from './local-time.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['Europe/Berlin', '2027-03-28T02:30'],
  ['America/New_York', '2027-03-14T02:00'],
  ['Australia/Lord_Howe', '2026-10-04T02:15'],
  ['America/Santiago', '2027-09-05T00:30'],
])('in %s, clocks skip %s', (timeZone, local) => {
  process.env['TZ'] = timeZone;
  expect(findInstants(local)).toEqual([]);
});

test.each([
  ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z'],
  ['America/New_York', '2027-11-07T01:00', '2027-11-07T05:00:00.000Z', '2027-11-07T06:00:00.000Z'],
  [
    'Australia/Lord_Howe',
    '2027-04-04T01:45',
    '2027-04-03T14:45:00.000Z',
    '2027-04-03T15:15:00.000Z',
  ],
])(
  'in %s, clocks show %s twice, and both times can be written and read',
  (timeZone, local, ...times) => {
    process.env['TZ'] = timeZone;
    const instants = findInstants(local);
    expect(instants.map((ms) => new Date(ms).toISOString())).toEqual(times);
    expect(instants.map((ms) => Date.parse(toLocalTime(ms)))).toEqual(instants);
    expect(instants.map(toLocalInput)).toEqual([local, local]);
  },
);

test.each(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'UTC'])(
  'in %s, every other time of a year is read once and written without an offset',
  (timeZone) => {
    process.env['TZ'] = timeZone;
    for (let ms = Date.UTC(2027, 0, 1); ms < Date.UTC(2028, 0, 1); ms += 86_400_000 + 7_260_000) {
      const local = toLocalTime(ms);
      expect(findInstants(local)).toContain(ms);
      if (findInstants(local).length === 1) expect(local).toBe(toLocalInput(ms));
    }
  },
);
