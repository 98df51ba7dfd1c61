import { z } from 'zod';
import { METADATA_MAX_BYTES, METADATA_MAX_PAIRS, REFERENCE_MAX_CHARACTERS } from './limits.ts';
import { text } from './text.ts';

/** A text of the client that names something of its own, such as an order. */
export const reference = () =>
  text()
    .refine((value) => value !== '' && value.length <= REFERENCE_MAX_CHARACTERS, {
      error: `must have 1 to ${REFERENCE_MAX_CHARACTERS} characters`,
    })
    .meta({ minLength: 1, maxLength: REFERENCE_MAX_CHARACTERS, examples: ['order-1042'] });

const FORM = 'must be an object of strings';
const pairs = z.record(z.string(), z.string(), FORM).meta({
  id: 'Metadata',
  description: `Up to ${METADATA_MAX_PAIRS} pairs of strings, which are returned with the message. Their names and values have at most ${METADATA_MAX_BYTES.toLocaleString('en')} bytes in UTF-8 together. An empty object counts as absent`,
  maxProperties: METADATA_MAX_PAIRS,
  examples: [{ order: '1042', shop: 'Lisbon' }],
});

/** zod's record would drop this name without an error. */
const RESERVED_NAME = '__proto__';

/** Pairs of strings. An error names a pair only if its name is short. */
export const metadata = z.preprocess((given: Record<string, string>, context) => {
  const problem = findProblem(given);
  if (problem === null) return given;
  context.addIssue({ code: 'custom', message: problem });
  return z.NEVER;
}, pairs);

/** Returns what is wrong with metadata; null if nothing is. */
function findProblem(given: unknown): string | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return FORM;
  const entries = Object.entries(given);
  if (entries.length > METADATA_MAX_PAIRS) {
    return `must have at most ${METADATA_MAX_PAIRS} pairs`;
  }
  if (!entries.every(isPairOfTexts)) return FORM;
  if (entries.some(([name]) => name === '')) return 'must not have an empty name';
  if (Object.hasOwn(given, RESERVED_NAME)) {
    return `must not have the name ${RESERVED_NAME}, which is reserved`;
  }
  if (!entries.flat().every((each) => text().safeParse(each).success)) {
    return 'must not contain NUL or lone surrogates';
  }
  return sizeOf(entries) > METADATA_MAX_BYTES
    ? `must have at most ${METADATA_MAX_BYTES} bytes, the names and values together in UTF-8`
    : null;
}

function isPairOfTexts(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

const encoder = new TextEncoder();
const sizeOf = (entries: readonly (readonly [string, string])[]): number =>
  entries.flat().reduce((bytes, each) => bytes + encoder.encode(each).length, 0);
