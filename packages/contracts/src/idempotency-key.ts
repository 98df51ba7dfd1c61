import { z } from 'zod';

export const IDEMPOTENCY_KEY_PATTERN = String.raw`^[\x20-\x7e]{1,255}$`;
export const IDEMPOTENCY_KEY_RULE = 'must have 1 to 255 printable characters';

/** The field of a send in a batch. */
export const idempotencyKeyField = z
  .string('must be a string')
  .regex(new RegExp(IDEMPOTENCY_KEY_PATTERN), IDEMPOTENCY_KEY_RULE)
  .optional()
  .describe(
    'Means for this send what the header `Idempotency-Key` means for a single send. Both have the same keys',
  )
  .meta({ pattern: IDEMPOTENCY_KEY_PATTERN, examples: ['order-1042-shipped'] });

/** The header, which the API parses: it may be quoted, and must not be repeated. */
export const idempotencyKeyHeader = (effect: string) =>
  z
    .string()
    .optional()
    .describe(
      `1 to 255 printable characters, in one header. For 24 hours, the same request with the same key gets the first response with \`Idempotent-Replayed: true\`${effect}`,
    )
    .meta({ examples: ['order-1042-shipped'] });
