import { z } from 'zod';

/** ISO 8601, UTC, whole milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
  examples: ['2026-11-20T04:33:00.123Z'],
});
