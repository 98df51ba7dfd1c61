import { CONTACT_LIMITS, OK, refuse, routes, toPaging } from '@switchboard/contracts';
import { AppError, type Clock, type ContactExcess } from '@switchboard/core';
import type { ContactStore, MergeRefusal, NumberTaken } from '@switchboard/database';
import { readLanguages } from '../http/read-languages.ts';
import type { RegisterRoute } from '../http/register-route.ts';
import type { SendTable } from '../http/send-table.ts';
import { toContact } from '../wire/to-contact.ts';
import { withoutUndefined } from '../wire/without-undefined.ts';
import { readContactCursor, writeContactCursor } from './contact-cursor.ts';
import { exportContacts } from './export-contacts.ts';

export interface ContactRouteDependencies {
  contacts: ContactStore;
  clock: Clock;
  sendTable: SendTable;
}

export function registerContactRoutes(
  registerRoute: RegisterRoute,
  { contacts, clock, sendTable }: ContactRouteDependencies,
): void {
  const now = (): Date => new Date(clock.now());

  registerRoute(routes.listContacts, async ({ workspaceId, query, request }) => {
    const { search, tag, numbers, after, limit } = query;
    const filter = {
      ...(search !== undefined && { search }),
      ...(tag !== undefined && { tag }),
      ...(numbers !== undefined && { numbers }),
    };
    const page = await contacts.list(workspaceId, filter, {
      after: after === undefined ? null : readContactCursor(after),
      size: toPaging({ limit }).limit,
      languages: readLanguages(request.headers['accept-language']),
    });
    return {
      data: page.contacts.map(toContact),
      next: page.next === null ? null : writeContactCursor(page.next),
    };
  });

  registerRoute(routes.addContact, async ({ workspaceId, body }) => {
    const { number, other_numbers: otherNumbers = [], name = '', fields = {}, tags = [] } = body;
    const details = { number, otherNumbers, name, fields, tags };
    const added = await contacts.create(workspaceId, details, now());
    if (added === 'field_names_exceeded') throw fieldNamesExceeded();
    if (added === 'quota_exceeded') throw refuse(routes.addContact, 'quota_exceeded');
    if (typeof added === 'string') throw numberExists(added);
    return toContact(added);
  });

  registerRoute(routes.importContacts, async ({ workspaceId, body }) => {
    const imported = body.contacts.map(toDetails);
    const { existing, dry_run: isDryRun = false } = body;
    const results = await contacts.import(workspaceId, imported, { existing, isDryRun, at: now() });
    if (results === 'field_names_exceeded') throw fieldNamesExceeded();
    if (results === 'quota_exceeded') throw refuse(routes.importContacts, 'quota_exceeded');
    return {
      results: results.map((result, index) => ({
        number: imported[index]?.number ?? '',
        result: result.kind,
        reason: result.kind === 'refused' ? result.reason : null,
      })),
    };
  });

  registerRoute(routes.exportContacts, ({ workspaceId, query, reply }) => {
    const parts = exportContacts(contacts, workspaceId, query.numbers);
    return sendTable(reply, { workspaceId, fileName: 'contacts.csv', parts });
  });

  registerRoute(routes.getContact, async ({ workspaceId, params }) => {
    const contact = await contacts.find(workspaceId, params.contactId);
    if (contact === null) throw refuse(routes.getContact, 'not_found');
    return toContact(contact);
  });

  registerRoute(routes.changeContact, async ({ workspaceId, params, body }) => {
    const changed = await contacts.update(workspaceId, params.contactId, toDetails(body), now());
    if (changed === 'field_names_exceeded') throw fieldNamesExceeded();
    if (changed === 'missing') throw refuse(routes.changeContact, 'not_found');
    if (typeof changed === 'string') throw numberExists(changed);
    return toContact(changed);
  });

  registerRoute(routes.mergeContact, async ({ workspaceId, params, body, actor }) => {
    const { contact_id: otherId, ...decided } = body;
    const merged = await contacts.merge(workspaceId, {
      id: params.contactId,
      otherId,
      decided: toDetails(decided),
      by: actor,
      at: now(),
    });
    if (merged === 'field_names_exceeded') throw fieldNamesExceeded();
    if (typeof merged === 'string') throw mergeRefused(merged);
    return toContact(merged);
  });

  registerRoute(routes.removeContact, async ({ workspaceId, params }) => {
    const removed = await contacts.remove(workspaceId, params.contactId);
    if (!removed) throw refuse(routes.removeContact, 'not_found');
    return OK;
  });
}

/** Converts the given parts of a contact to those of the store. */
function toDetails<Parts extends { other_numbers?: string[] | undefined }>({
  other_numbers: otherNumbers,
  ...parts
}: Parts) {
  return { ...withoutUndefined(parts), ...(otherNumbers !== undefined && { otherNumbers }) };
}

const fieldNamesExceeded = (): AppError => refuse(routes.changeContact, 'quota_exceeded');

function numberExists(taken: NumberTaken): AppError {
  return taken === 'number_exists'
    ? refuse(routes.addContact, 'already_exists')
    : new AppError(
        'already_exists',
        'Another contact of the workspace has one of these `other_numbers`',
      );
}

function mergeRefused(reason: MergeRefusal): AppError {
  switch (reason) {
    case 'missing':
      return refuse(routes.mergeContact, 'not_found');
    case 'other_missing':
      return refuse(routes.mergeContact, 'invalid_params');
    case 'not_theirs':
      return new AppError(
        'invalid_params',
        '`number` and `other_numbers` must be numbers of the two contacts',
      );
    default:
      return new AppError('invalid_params', describeExcess(reason));
  }
}

function describeExcess(excess: ContactExcess): string {
  const [parameter, limit] = {
    too_many_numbers: ['other_numbers', CONTACT_LIMITS.otherNumbers] as const,
    too_many_tags: ['tags', CONTACT_LIMITS.tags] as const,
    too_many_fields: ['fields', CONTACT_LIMITS.fields] as const,
  }[excess];
  return `\`${parameter}\` must have at most ${limit} entries, and the two contacts together have more: send the entries to keep`;
}
