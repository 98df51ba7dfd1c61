import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCursor, parseCursor } from './cursor.ts';

const workspaceId = '0198c2f0-7a11-7c3e-9d53-8e1f6a2b4c5d';
const seqs = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

describe('a cursor', () => {
  it('names a place that can be read back, in characters that stand in a URL as they are', () => {
    fc.assert(
      fc.property(fc.uuid(), seqs, (id, seq) => {
        const cursor = formatCursor(id, seq);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(parseCursor(id, cursor)).toBe(seq);
      }),
    );
  });

  it('is none in another workspace', () => {
    const other = '0198c2f0-7a11-7c3e-9d53-8e1f6a2b4c5e';
    expect(parseCursor(other, formatCursor(workspaceId, 7))).toBeNull();
  });

  it('is none when a character was added, dropped or changed in its head', () => {
    const cursor = formatCursor(workspaceId, 7);
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

  it('is none beyond what a number holds exactly', () => {
    const bytes = Buffer.from(formatCursor(workspaceId, 0), 'base64url').fill(0xff, 17);
    expect(parseCursor(workspaceId, bytes.toString('base64url'))).toBeNull();
  });
});
