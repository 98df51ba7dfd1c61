import { MAX_EVENT_SLOT, positionOf, startOfSlot } from '@switchboard/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCursor, parseCursor } from './cursor.ts';

const workspaceId = '0198c2f0-7a11-7c3e-9d53-8e1f6a2b4c5d';
const places = fc.record({
  epoch: fc.stringMatching(/^[0-9a-f]{16}$/),
  position: fc
    .dictionary(
      fc.integer({ min: 0, max: MAX_EVENT_SLOT }).map(String),
      fc.integer({ min: 1, max: 2 ** 48 - 1 }),
    )
    .map((counts) =>
      positionOf(Object.entries(counts).map(([slot, count]) => startOfSlot(Number(slot)) + count)),
    ),
});
/** Positions in the first slot, and in several. */
const PLACES = [
  { epoch: '0000000100000000', position: positionOf([7]) },
  { epoch: '00000002deadbeef', position: positionOf([7, startOfSlot(2) + 300]) },
];

describe('event cursors', () => {
  test('a cursor can be parsed again and needs no URL encoding', () => {
    fc.assert(
      fc.property(fc.uuid(), places, (id, place) => {
        const cursor = formatCursor(id, place);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(parseCursor(id, cursor)).toEqual(place);
      }),
    );
  });

  test('a cursor of an unknown version is refused', () => {
    const [place] = PLACES;
    if (place === undefined) throw new Error('There is no place.');
    const bytes = Buffer.from(formatCursor(workspaceId, place), 'base64url');
    bytes[0] = 2;
    expect(parseCursor(workspaceId, bytes.toString('base64url'))).toBeNull();
  });

  test.each(PLACES)('a cursor of another workspace is refused (epoch $epoch)', (place) => {
    const other = '0198c2f0-7a11-7c3e-9d53-8e1f6a2b4c5e';
    expect(parseCursor(other, formatCursor(workspaceId, place))).toBeNull();
  });

  test.each(PLACES)(
    'a cursor with an added, missing or changed character is refused (epoch $epoch)',
    (place) => {
      const cursor = formatCursor(workspaceId, place);
      for (const wrong of [
        `${cursor}A`,
        `${cursor}=`,
        cursor.slice(0, -1),
        `B${cursor.slice(1)}`,
        '',
      ]) {
        expect(parseCursor(workspaceId, wrong), wrong).toBeNull();
      }
    },
  );

  test('arbitrary text is refused as a cursor', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseCursor(workspaceId, text)).toBeNull();
      }),
    );
  });

  test.each(PLACES)(
    'a cursor beyond the range of safe integers is refused (epoch $epoch)',
    (place) => {
      const bytes = Buffer.from(formatCursor(workspaceId, place), 'base64url');
      bytes.fill(0xff, bytes.length - 7);
      expect(parseCursor(workspaceId, bytes.toString('base64url'))).toBeNull();
    },
  );
});
