import { z } from 'zod';

/** ISO 8601, UTC, whole milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });
