import { z } from 'zod';
import { CONTACT_LIMITS, IMPORTED_CONTACTS_MAX } from './limits.ts';
import { trimName } from './plain-text.ts';
import { pageLimit } from './query.ts';
import { nameUpTo, phoneNumber, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const fieldName = nameUpTo(CONTACT_LIMITS.fieldNameCharacters);
const isFieldName = (name: string): boolean => fieldName.safeParse(name).data === name;

/** zod's record drops this name without an error, because assigning it would set the prototype. */
const RESERVED_NAME = '__proto__';

function refuseReservedName(given: unknown, context: z.RefinementCtx): unknown {
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, RESERVED_NAME)) {
    context.addIssue({
      code: 'custom',
      path: [RESERVED_NAME],
      message: 'must have another name: this one is reserved',
    });
  }
  return given;
}

const namedFields = z
  .record(z.string(), textUpTo(CONTACT_LIMITS.fieldCharacters), 'must be an object of strings')
  .refine(
    (given) =>
      Object.keys(given).length <= CONTACT_LIMITS.fields && Object.keys(given).every(isFieldName),
    {
      error: `must have at most ${CONTACT_LIMITS.fields} fields, each with a name of 1 to ${CONTACT_LIMITS.fieldNameCharacters} characters and no leading or trailing whitespace`,
    },
  )
  .meta({ maxProperties: CONTACT_LIMITS.fields })
  .describe('Custom values, with names that you choose');
const fields = z.preprocess(refuseReservedName, namedFields);

const tag = nameUpTo(CONTACT_LIMITS.tagCharacters).refine((value) => !/[,;]/.test(value), {
  error: 'must not contain a comma or a semicolon',
});

const tags = z
  .array(tag, 'must be a list of strings')
  .max(CONTACT_LIMITS.tags, `must have at most ${CONTACT_LIMITS.tags} tags`)
  .transform((given) => [...new Set(given)]);

const name = textUpTo(CONTACT_LIMITS.nameCharacters).transform(trimName);

const otherNumbers = z
  .array(phoneNumber(), 'must be a list of phone numbers')
  .max(CONTACT_LIMITS.otherNumbers, `must have at most ${CONTACT_LIMITS.otherNumbers} numbers`)
  .transform((given) => [...new Set(given)])
  .describe('Other numbers of the same person');

/** The fields of a contact except its number. */
const details = {
  other_numbers: otherNumbers.optional(),
  name: name.optional(),
  fields: fields.optional(),
  tags: tags.optional(),
};

export const addContactRequest = z
  .object({ number: phoneNumber(), ...details })
  .meta({ id: 'AddContactRequest' });

export const changeContactRequest = z
  .object({ number: phoneNumber().optional(), ...details })
  .meta({ id: 'ChangeContactRequest' });

export const mergeContactRequest = z
  .object({
    contact_id: z
      .uuid('must be the id of a contact')
      .describe('The contact that is merged into this one and then deleted'),
    number: phoneNumber()
      .optional()
      .describe('A number of either contact. Defaults to the number of this contact'),
    ...details,
  })
  .meta({ id: 'MergeContactRequest' });

export const contact = z
  .object({
    id: z.uuid(),
    number: z.string(),
    other_numbers: z.array(z.string()).describe('Other numbers of the same person'),
    name: z.string().describe('May be empty'),
    fields: z.record(z.string(), z.string()),
    tags: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Contact' });

const numbers = z
  .string()
  // The plus signs arrive as spaces where the client did not encode them.
  .transform((value) => value.split(',').map((each) => each.replace(/^ /, '+')))
  .pipe(z.array(phoneNumber()).max(100, 'must have at most 100 numbers'))
  .meta({ examples: ['+14155550123,+14155550124'] });

export const contactsQuery = z.object({
  search: textUpTo(100)
    .optional()
    .describe('Words from a name, tag or field, or part of a number in any notation'),
  tag: textUpTo(CONTACT_LIMITS.tagCharacters).optional().describe('Only contacts with this tag'),
  numbers: numbers.optional().describe('Only contacts with these numbers, separated by commas'),
  after: z.string().optional().describe('The `next` of the previous page'),
  limit: pageLimit,
});

export const contactList = z
  .object({
    data: z.array(contact),
    next: z
      .string()
      .nullable()
      .describe('The value of `after` for the next page; null on the last page'),
  })
  .meta({ id: 'ContactList' });

export const importContactsRequest = z
  .object({
    contacts: z
      .array(addContactRequest, 'must be a list of contacts')
      .min(1, 'must have at least one contact')
      .max(IMPORTED_CONTACTS_MAX, `must have at most ${IMPORTED_CONTACTS_MAX} contacts`)
      .refine((list) => new Set(list.map(({ number }) => number)).size === list.length, {
        error: 'must not repeat a number',
      }),
    existing: z
      .enum(['keep', 'update'], 'must be keep or update')
      .describe(
        'What happens to a contact that already exists: `keep` leaves it unchanged; `update` sets the given ' +
          'name and fields, and adds the given tags and other numbers to its own',
      ),
    dry_run: z
      .boolean('must be true or false')
      .optional()
      .describe('Returns what the import would do, without storing anything'),
  })
  .meta({ id: 'ImportContactsRequest' });

/** One result for each contact of the request, in its order. */
export const importContactsResponse = z
  .object({
    results: z.array(
      z.object({
        number: z.string(),
        result: z.enum(['created', 'updated', 'kept', 'refused']),
        reason: z
          .enum(['too_many_tags', 'too_many_fields', 'too_many_numbers', 'number_exists'])
          .nullable()
          .describe(
            'Why a contact is refused: it would have more tags, fields or numbers than a contact may have, ' +
              'or another contact has one of its numbers',
          ),
      }),
    ),
  })
  .meta({ id: 'ImportContactsAnswer' });

export type Contact = z.infer<typeof contact>;
export type ImportRefusal = NonNullable<
  z.infer<typeof importContactsResponse>['results'][number]['reason']
>;
export type ContactList = z.infer<typeof contactList>;
