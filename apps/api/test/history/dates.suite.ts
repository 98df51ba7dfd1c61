import { describe, expect, test } from 'vitest';
import { rows, read, at } from './environment.ts';

export function describeDates(): void {
  describe('date filters of the history', () => {
    const count = async (query: string) => (await read(query)).pagination.totalMessages;
    const after = (iso: string) => rows.filter((row) => at(row) > Date.parse(iso)).length;
    const before = (iso: string) => rows.filter((row) => at(row) < Date.parse(iso)).length;

    test('a date filter excludes its own instant', async () => {
      expect(await count('?startDate=2026-03-05T00:00:00.000Z')).toBe(after('2026-03-05'));
      expect(await count('?startDate=2026-03-04T23:59:59.999Z')).toBe(after('2026-03-05') + 12);
      expect(await count('?endDate=2026-03-05T00:00:00.000Z')).toBe(before('2026-03-05'));
      expect(await count('?endDate=2026-03-05T00:00:00.001Z')).toBe(before('2026-03-05') + 12);
      expect(await count('?startDate=2026-03-05&endDate=2026-03-05')).toBe(0);
    });

    test.each([
      ['2026-03-05', '2026-03-05T00:00:00Z'],
      ['2026-03-05T12:00', '2026-03-05T12:00:00Z'],
      ['2026-03-05T12:00:00', '2026-03-05T12:00:00Z'],
      ['2026-03-05t12:00:00z', '2026-03-05T12:00:00Z'],
      ['2026-03-05T12:00:00.5Z', '2026-03-05T12:00:00.500Z'],
      ['2026-03-05T14:00:00+02:00', '2026-03-05T12:00:00Z'],
      ['2026-03-05T14:00:00%2B0200', '2026-03-05T12:00:00Z'],
      ['2026-03-05T14:00:00+02', '2026-03-05T12:00:00Z'],
      ['2026-03-05T14:00:00%2B02', '2026-03-05T12:00:00Z'],
      ['2026-03-05T06:30:00-05:30', '2026-03-05T12:00:00Z'],
      ['0001-01-01', '0001-01-01T00:00:00Z'],
      ['1969-12-31', '1969-12-31T00:00:00Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ])('the date %s is parsed as %s', async (written, instant) => {
      expect(await count(`?startDate=${written}`)).toBe(after(instant));
      expect(await count(`?endDate=${written}`)).toBe(before(instant));
    });

    test('date filters with microseconds select the right messages', async () => {
      expect(await count('?endDate=2026-03-05T00:00:00.000001Z')).toBe(before('2026-03-05') + 12);
      expect(await count('?startDate=2026-03-04T23:59:59.999999Z')).toBe(after('2026-03-05') + 12);
      expect(await count('?startDate=2026-03-05T00:00:00.000001Z')).toBe(after('2026-03-05'));
    });
  });
}
