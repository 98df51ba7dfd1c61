import { UNDELIVERED_CODES } from '@switchboard/providers/magic-numbers';
import { errorMessageOf } from '../messages/magic-numbers.ts';

/** How the carrier treats the texts to a phone. */
const TREATMENTS = ['delivered', 'undelivered', 'slow', 'receipt_lost'] as const;

/** The treatment of the texts to one phone. */
export interface Treatment {
  treatment: (typeof TREATMENTS)[number];
  /** With `undelivered`, the reason, by Twilio's code. */
  errorCode: number | null;
}

export const DELIVERED: Readonly<Treatment> = { treatment: 'delivered', errorCode: null };

/** The default reason: an unreachable handset. */
const DEFAULT_CODE = 30003;

/** Parses the body of `PUT /simulator/phones/{number}`. Returns an error message if it is invalid. */
export function parseTreatment(input: unknown): Treatment | string {
  if (typeof input !== 'object' || input === null) return 'The body must be a JSON object';
  const { treatment, error_code: code = null } = input as Record<string, unknown>;
  const known = TREATMENTS.find((each) => each === treatment);
  if (known === undefined) return `\`treatment\` must be one of ${TREATMENTS.join(', ')}`;
  if (known !== 'undelivered') {
    return code === null
      ? { treatment: known, errorCode: null }
      : '`error_code` must be absent unless `treatment` is undelivered';
  }
  const errorCode = UNDELIVERED_CODES.find((each) => each === (code ?? DEFAULT_CODE));
  return errorCode === undefined
    ? `\`error_code\` must be one of ${UNDELIVERED_CODES.join(', ')}`
    : { treatment: known, errorCode };
}

/** The reasons why a text is not delivered, as `GET /simulator/phones/{number}` lists them: the default first. */
export const REASONS = [
  DEFAULT_CODE,
  ...UNDELIVERED_CODES.filter((code) => code !== DEFAULT_CODE),
].map((code) => ({
  error_code: code,
  error_message: errorMessageOf(code),
}));
