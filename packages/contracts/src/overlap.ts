import { z } from 'zod';

const MAX_SECONDS = 604_800;
const DEFAULT_SECONDS = 86_400;

/** How long a secret still works after another one has replaced it. */
export function overlapSeconds(description: string) {
  return z
    .number('must be a number')
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(MAX_SECONDS, `must be at most ${MAX_SECONDS}`)
    .optional()
    .describe(`${description}; defaults to ${DEFAULT_SECONDS}`);
}

/** The overlap in milliseconds. */
export function readOverlapMs(request: { overlap_seconds?: number | undefined }): number {
  return (request.overlap_seconds ?? DEFAULT_SECONDS) * 1_000;
}
