import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../start-service.ts';
import { rows, list, read, idsOf } from './environment.ts';

export function describePages(): void {
  describe('pages of the history', () => {
    test('a page has 50 messages by default, newest first, with ties sorted by id', async () => {
      const { messages, pagination } = await read('');
      expect(idsOf(messages)).toEqual(idsOf(rows.slice(0, 50)));
      expect(pagination).toStrictEqual({
        currentPage: 1,
        totalPages: 5,
        totalMessages: 240,
        hasNext: true,
      });
    });

    test.each([1, 7, 48, 60, 100])(
      'pages of %i messages show every message once and in order',
      async (limit) => {
        const seen: string[] = [];
        const pages = Math.ceil(240 / limit);
        const step = limit === 1 ? 60 : 1;
        for (let page = 1; page <= pages; page += step) {
          const { messages, pagination } = await read(`?limit=${limit}&page=${page}`);
          seen.push(...idsOf(messages));
          expect(pagination).toStrictEqual({
            currentPage: page,
            totalPages: pages,
            totalMessages: 240,
            hasNext: page < pages,
          });
        }
        if (step === 1) expect(seen).toEqual(idsOf(rows));
        else expect(seen).toEqual([rows[0]?.id, rows[60]?.id, rows[120]?.id, rows[180]?.id]);
      },
    );

    test.each(['101', '1000', '9'.repeat(40)])(
      'a page with a limit of %s has 100 messages',
      async (limit) => {
        const { messages, pagination } = await read(`?limit=${limit}`);
        expect(messages).toHaveLength(100);
        expect(pagination.totalPages).toBe(3);
      },
    );

    test.each(['6', '7', '1000000', '9007199254740993', `1${'0'.repeat(30)}`, '9'.repeat(400)])(
      'page %s, after the last page, is empty and has the right totals',
      async (page) => {
        const { messages, pagination } = await read(`?page=${page}`);
        expect(messages).toEqual([]);
        expect(pagination).toMatchObject({ totalPages: 5, totalMessages: 240, hasNext: false });
        expect(Number.isFinite(pagination.currentPage)).toBe(true);
      },
    );

    test.each([
      '0',
      '00',
      '-1',
      '1.5',
      '1.0',
      'abc',
      '1e3',
      '0x10',
      'NaN',
      'Infinity',
      ' 1',
      '1%20',
      '%2B1',
      '1,2',
      '１',
      'null',
      'true',
      '[]',
      '1%00',
    ])('the page number or limit %s is refused with an error that names it', async (value) => {
      for (const parameter of ['page', 'limit']) {
        const response = await list(`?${parameter}=${value}`);
        expectRefusal(response, 400, 'invalid_params', new RegExp(`^\`${parameter}\``));
      }
    });

    test('a history without matches has no pages', async () => {
      const { messages, pagination } = await read('?to=%2B19999999999');
      expect(messages).toEqual([]);
      expect(pagination).toStrictEqual({
        currentPage: 1,
        totalPages: 0,
        totalMessages: 0,
        hasNext: false,
      });
    });
  });
}
