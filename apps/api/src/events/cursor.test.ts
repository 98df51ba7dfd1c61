import { MAX_EVENT_SLOT, positionOf, startOfSlot } from '@switchboard/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCursor, parseCursor } from './cursor.ts';

const workspaceId = '0198c2f0-7a11-7c3e-9d53-8e1f6a2b4c5d';
const starts = fc.record({
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
const STARTS = [
  { epoch: '0000000100000000', position: positionOf([7]) },
  { epoch: '00000002deadbeef', position: positionOf([7, startOfSlot(2) + 300]) },
];

describe('event cursors', () => {
  test('a cursor can be parsed again and needs no URL encoding', () => {
    fc.assert(
      fc.property(fc.uuid(), starts, (id, start) => {
        const cursor = formatCursor(id, start);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(parseCursor(id, cursor)).toEqual(start);
      }),
    );
  });

  test('a cursor of an unknown version is refused', () => {
    const [start] = STARTS;
    if (start === undefined) throw new Error('There is no position.');
    const bytes = Buffer.from(formatCursor(workspaceId, start), 'base64url');
    bytes[0] = 2;
    expect(parseCursor(workspaceId, bytes.toString('base64url'))).toBeNull();
  });

  test.each(STARTS)('a cursor of another workspace is refused (epoch $epoch)', (start) => {
    const other = '0198c2f0-7a11-7c3e-9d53-8e1f6a2b4c5e';
    expect(parseCursor(other, formatCursor(workspaceId, start))).toBeNull();
  });

  test.each(STARTS)(
    'a cursor with an added, missing or changed character is refused (epoch $epoch)',
    (start) => {
      const cursor = formatCursor(workspaceId, start);
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

  test('a cursor in a slot beyond the last one, or with more events than a slot can have, is refused', () => {
    const withPosition = (...bytes: number[]): string => {
      const head = formatCursor(workspaceId, {
        epoch: '0000000100000000',
        position: positionOf([]),
      });
      const cursor = Buffer.concat([Buffer.from(head, 'base64url'), Buffer.from(bytes)]);
      return cursor.toString('base64url');
    };
    const full = Array.from({ length: 6 }, () => 0xff);
    expect(parseCursor(workspaceId, withPosition(MAX_EVENT_SLOT, 1))).not.toBeNull();
    expect(parseCursor(workspaceId, withPosition(MAX_EVENT_SLOT + 1, 1))).toBeNull();
    expect(parseCursor(workspaceId, withPosition(0, ...full, 0x3f))).not.toBeNull();
    expect(parseCursor(workspaceId, withPosition(0, ...full, 0x40))).toBeNull();
    expect(parseCursor(workspaceId, withPosition(0, ...full, ...full, ...full))).toBeNull();
  });
});
