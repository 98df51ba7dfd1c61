import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCursor, parseCursor } from './cursor.ts';

const workspaceId = '0198c2f0-7a11-7c3e-9d53-8e1f6a2b4c5d';
const places = fc.record({
  epoch: fc.option(fc.stringMatching(/^[0-9a-f]{16}$/)),
  seq: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
});
/** A place of the release before, and one of another epoch. */
const PLACES = [
  { epoch: null, seq: 7 },
  { epoch: '00000002deadbeef', seq: 7 },
];

describe('a cursor', () => {
  it('names a place that can be read back, in characters that stand in a URL as they are', () => {
    fc.assert(
      fc.property(fc.uuid(), places, (id, place) => {
        const cursor = formatCursor(id, place);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(parseCursor(id, cursor)).toEqual(place);
      }),
    );
  });

  it('of the release before is read as a place without an epoch', () => {
    const cursor = 'AQGYwvB6EXw-nVOOH2orTF0AAAAAAAAH';
    expect(parseCursor(workspaceId, cursor)).toEqual({ epoch: null, seq: 7 });
    expect(formatCursor(workspaceId, { epoch: null, seq: 7 })).toBe(cursor);
  });

  it.each(PLACES)('is none in another workspace: $epoch', (place) => {
    const other = '0198c2f0-7a11-7c3e-9d53-8e1f6a2b4c5e';
    expect(parseCursor(other, formatCursor(workspaceId, place))).toBeNull();
  });

  it.each(PLACES)('is none when a character was added, dropped or changed: $epoch', (place) => {
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
  });

  it('is never made of arbitrary text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseCursor(workspaceId, text)).toBeNull();
      }),
    );
  });

  it.each(PLACES)('is none beyond what a number holds exactly: $epoch', (place) => {
    const bytes = Buffer.from(formatCursor(workspaceId, place), 'base64url');
    bytes.fill(0xff, bytes.length - 7);
    expect(parseCursor(workspaceId, bytes.toString('base64url'))).toBeNull();
  });
});
