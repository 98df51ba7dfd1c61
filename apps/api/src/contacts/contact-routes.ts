import { Readable } from 'node:stream';
import { OK, refuse, routes, toPaging } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type { ContactStore } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { toContact } from '../wire/to-contact.ts';
import { withoutUndefined } from '../wire/without-undefined.ts';
import { readContactCursor, writeContactCursor } from './contact-cursor.ts';
import { exportContacts } from './export-contacts.ts';

export interface ContactRouteDependencies {
  contacts: ContactStore;
  clock: Clock;
}

export function registerContactRoutes(
  registerRoute: RegisterRoute,
  { contacts, clock }: ContactRouteDependencies,
): void {
  const now = (): Date => new Date(clock.now());

  registerRoute(routes.listContacts, async ({ workspaceId, query }) => {
    const { search, tag, numbers, after, limit } = query;
    const filter = {
      ...(search !== undefined && { search }),
      ...(tag !== undefined && { tag }),
      ...(numbers !== undefined && { numbers }),
    };
    const page = await contacts.list(workspaceId, filter, {
      after: after === undefined ? null : readContactCursor(after),
      size: toPaging({ limit }).limit,
    });
    return {
      data: page.contacts.map(toContact),
      next: page.next === null ? null : writeContactCursor(page.next),
    };
  });

  registerRoute(routes.addContact, async ({ workspaceId, body }) => {
    const { number, name = '', fields = {}, tags = [] } = body;
    const added = await contacts.create(workspaceId, { number, name, fields, tags }, now());
    if (added === 'exists') throw refuse(routes.addContact, 'already_exists');
    if (added === 'quota_exceeded') throw refuse(routes.addContact, 'quota_exceeded');
    return toContact(added);
  });

  registerRoute(routes.importContacts, async ({ workspaceId, body }) => {
    const imported = body.contacts.map(withoutUndefined);
    const { existing, dry_run: isDryRun = false } = body;
    const results = await contacts.import(workspaceId, imported, { existing, isDryRun, at: now() });
    if (results === 'quota_exceeded') throw refuse(routes.importContacts, 'quota_exceeded');
    return {
      results: results.map((result, index) => ({ number: imported[index]?.number ?? '', result })),
    };
  });

  registerRoute(routes.exportContacts, ({ workspaceId, reply }) => {
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="contacts.csv"',
    });
    return Readable.from(exportContacts(contacts, workspaceId), { objectMode: false });
  });

  registerRoute(routes.getContact, async ({ workspaceId, params }) => {
    const contact = await contacts.find(workspaceId, params.contactId);
    if (contact === null) throw refuse(routes.getContact, 'not_found');
    return toContact(contact);
  });

  registerRoute(routes.changeContact, async ({ workspaceId, params, body }) => {
    const change = withoutUndefined(body);
    const changed = await contacts.update(workspaceId, params.contactId, change, now());
    if (changed === 'missing') throw refuse(routes.changeContact, 'not_found');
    if (changed === 'exists') throw refuse(routes.changeContact, 'already_exists');
    return toContact(changed);
  });

  registerRoute(routes.removeContact, async ({ workspaceId, params }) => {
    const removed = await contacts.remove(workspaceId, params.contactId);
    if (!removed) throw refuse(routes.removeContact, 'not_found');
    return OK;
  });
}
