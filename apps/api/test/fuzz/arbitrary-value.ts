import type { JsonSchema } from '@switchboard/contracts';
import fc from 'fast-check';
import { schemas } from '../documented.ts';

/** Generates values that a schema allows. The service may still refuse them. */
export function arbitraryOf(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const component = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return arbitraryOf(schemas[component] ?? {}, name);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, name)));
  const types = [schema.type ?? []].flat();
  if (types.length > 1) {
    return fc.oneof(...types.map((type) => arbitraryOf({ ...schema, type }, name)));
  }
  switch (types[0]) {
    case 'object':
      return arbitraryObject(schema);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 12),
      });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.nat().map((value) => value + (schema.minimum ?? 0));
    case 'number':
      return fc.double();
    case 'null':
      return fc.constant(null);
    case 'string':
      return arbitraryText(schema, name);
    default:
      return fc.jsonValue();
  }
}

function arbitraryObject(schema: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      name,
      arbitraryOf(field, name),
    ]),
  );
  return fc.record(fields, { requiredKeys: schema.required ?? [] });
}

/** Placeholders for a message and a number of the workspace in the request. */
export const OWN_MESSAGE = 'own-message';
export const OWN_NUMBER = '{number}';

/** Valid values of parameters with rules that the schema cannot express. */
const GOOD_TEXTS: Record<string, fc.Arbitrary<string>> = {
  scheduled_at: fc
    .integer({ min: 60_000, max: 34 * 86_400_000 })
    .map((ms) => new Date(Date.now() + ms).toISOString()),
  password: fc.string({ minLength: 12, maxLength: 60 }),
  startDate: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  endDate: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  message: fc.constantFrom(OWN_MESSAGE, OWN_MESSAGE, 'another'),
  MessageStatus: fc.constantFrom('queued', 'sent', 'delivered', 'failed', 'a_future_status'),
  To: fc.oneof(fc.constant(OWN_NUMBER), fc.stringMatching(/^\+1555\d{7}$/)),
  From: fc.oneof(fc.stringMatching(/^\+1555\d{7}$/), fc.constantFrom('12345', 'Sender', '👋')),
  Body: fc.oneof(fc.constantFrom('STOP', 'start', 'HELP', ''), fc.string({ unit: 'grapheme' })),
  OptOutType: fc.constantFrom('STOP', 'START', 'HELP', 'OTHER'),
};

function arbitraryText(schema: JsonSchema, name: string): fc.Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = 60 } = schema;
  const good = GOOD_TEXTS[name];
  if (good !== undefined) return good;
  if (format === 'uuid') return fc.uuid();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const bounds = { minLength, maxLength: Math.min(maxLength, 80) };
  return fc.oneof(
    { weight: 4, arbitrary: fc.string(bounds) },
    { weight: 2, arbitrary: fc.string({ ...bounds, unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.string({ ...bounds, unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(maxLength), 'x'.repeat(maxLength + 1)) },
  );
}

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\uD800',
  '\uFFFF',
  'null',
  '__proto__',
  '../..',
  '%00',
  "' OR 1=1",
];

/** Texts that most parameters refuse. */
export const oddText = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constant('9'.repeat(400)),
);

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(null, true, 0, -1, 1e308, 0.1, [], {}, [[]], { toString: 1 }, [null]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.nat({ max: 4_000 }).map(nest),
);

/** Returns nested lists of the given depth. */
function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = [value];
  return value;
}

/** Generates a valid value with one or more fields removed, replaced or added. */
export function mutated(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({ at: fc.nat(), how: fc.nat({ max: 3 }), value: oddValue });
  return fc
    .tuple(good, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => {
      if (typeof value !== 'object' || value === null) return changes[0]?.value;
      const fields = new Map(Object.entries(value));
      for (const { at, how, value: odd } of changes) {
        const name = [...fields.keys()][at % Math.max(fields.size, 1)] ?? 'field';
        if (how === 0) fields.delete(name);
        else if (how === 1) fields.set(`${name}_`, odd);
        else fields.set(name, odd);
      }
      return Object.fromEntries(fields);
    });
}
