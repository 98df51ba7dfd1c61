import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { z } from 'zod';
import {
  addContactRequest,
  changeContactRequest,
  contact,
  contactList,
  contactsQuery,
  importContactsResponse,
  importContactsRequest,
  mergeContactRequest,
} from '../contact.ts';
import {
  addSavedReplyRequest,
  changeSavedReplyRequest,
  savedRepliesQuery,
  savedReply,
  savedReplyList,
} from '../saved-reply.ts';
import { exportFormat } from '../export-format.ts';
import { defineRoute } from './define-route.ts';
import { exportQuota } from './export-quota.ts';
import { ok } from './ok.ts';
import { forKeysAndSessions, forSessions } from './workspace-paths.ts';

const tag = 'Contacts';
const paths = forKeysAndSessions('/contacts');
const pathsOfOne = forKeysAndSessions('/contacts/{contactId}');
const noSuchContact = 'The workspace has no such contact';
const numberExists = 'The workspace already has a contact with this `number`';
const contactQuota = quotaExceeded(QUOTAS.contactsPerWorkspace, 'contacts per workspace').message;
const fieldNameQuota = quotaExceeded(
  QUOTAS.contactFieldNamesPerWorkspace,
  'contact field names per workspace',
).message;
const noSuchReply = 'The workspace has no such saved reply';
const nameExists = 'The workspace already has a saved reply with this `name`';

export const contactRoutes = {
  listContacts: defineRoute({
    method: 'GET',
    paths,
    scope: 'contacts:write',
    tag,
    summary: 'List or search contacts, sorted by name',
    description: 'Contacts without a name come last.',
    shorterRead: 'filter by `tag` or `numbers`, or search for more words',
    headers: z.object({
      'Accept-Language': z
        .string()
        .optional()
        .describe(
          'The order of names is that of the first language that the database knows. Pages after the first ' +
            'have the order of the first',
        )
        .meta({ examples: ['sv-SE, en;q=0.5'] }),
    }),
    query: contactsQuery,
    response: { status: 200, schema: contactList },
  }),

  addContact: defineRoute({
    method: 'POST',
    paths,
    scope: 'contacts:write',
    tag,
    summary: 'Add a contact',
    body: addContactRequest,
    response: { status: 201, schema: contact },
    errors: { already_exists: numberExists, quota_exceeded: contactQuota },
  }),

  importContacts: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/contacts/import'),
    scope: 'contacts:write',
    tag,
    summary: 'Import up to 200 contacts',
    description:
      'A contact that would exceed a limit is refused, with the reason. The others are either all stored or not at all.',
    body: importContactsRequest,
    response: { status: 200, schema: importContactsResponse },
    errors: { quota_exceeded: contactQuota },
  }),

  exportContacts: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/contacts/export.csv'),
    scope: 'contacts:write',
    tag,
    summary: 'Export all contacts as CSV',
    description:
      'A table in UTF-8 with a row for each contact and a column for each field name of the workspace. ' +
      'A value that a spreadsheet would execute as a formula begins with an apostrophe, which the import of ' +
      'the dashboard removes.',
    query: exportFormat,
    response: { status: 200, contentType: 'text/csv', description: 'The table' },
    errors: { quota_exceeded: exportQuota },
  }),

  getContact: defineRoute({
    method: 'GET',
    paths: pathsOfOne,
    scope: 'contacts:write',
    tag,
    summary: 'Get a contact',
    response: { status: 200, schema: contact },
    errors: { not_found: noSuchContact },
  }),

  changeContact: defineRoute({
    method: 'PATCH',
    paths: pathsOfOne,
    scope: 'contacts:write',
    tag,
    summary: 'Change a contact',
    description:
      'A parameter that is absent keeps its value. `fields` and `tags` replace the stored ones.',
    body: changeContactRequest,
    response: { status: 200, schema: contact },
    errors: {
      not_found: noSuchContact,
      already_exists: numberExists,
      quota_exceeded: fieldNameQuota,
    },
  }),

  mergeContact: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/contacts/{contactId}/merge'),
    scope: 'contacts:write',
    tag,
    summary: 'Merge another contact into a contact',
    description:
      'The contact keeps its id, and the other contact is deleted. A parameter in the request ' +
      'replaces the value of both. Where a parameter is absent, the values are combined: the contact gets the numbers ' +
      'and tags of both, and keeps its own name and fields where both have one. Messages and notes belong to numbers, so none are deleted.',
    body: mergeContactRequest,
    response: { status: 200, schema: contact },
    errors: {
      not_found: noSuchContact,
      invalid_params: '`contact_id` must be the id of another contact of this workspace',
      quota_exceeded: fieldNameQuota,
    },
  }),

  removeContact: defineRoute({
    method: 'DELETE',
    paths: pathsOfOne,
    scope: 'contacts:write',
    tag,
    summary: 'Delete a contact',
    description: 'The messages of its numbers are kept.',
    response: { status: 200, schema: ok },
    errors: { not_found: noSuchContact },
  }),

  listSavedReplies: defineRoute({
    method: 'GET',
    paths: forSessions('/saved-replies'),
    tag,
    summary: 'List or search saved replies, sorted by name',
    query: savedRepliesQuery,
    response: { status: 200, schema: savedReplyList },
  }),

  addSavedReply: defineRoute({
    method: 'POST',
    paths: forSessions('/saved-replies'),
    tag,
    summary: 'Add a saved reply',
    body: addSavedReplyRequest,
    response: { status: 201, schema: savedReply },
    errors: {
      already_exists: nameExists,
      quota_exceeded: quotaExceeded(QUOTAS.savedRepliesPerWorkspace, 'saved replies per workspace')
        .message,
    },
  }),

  changeSavedReply: defineRoute({
    method: 'PATCH',
    paths: forSessions('/saved-replies/{replyId}'),
    tag,
    summary: 'Change a saved reply',
    description: 'A parameter that is absent keeps its value.',
    body: changeSavedReplyRequest,
    response: { status: 200, schema: savedReply },
    errors: { not_found: noSuchReply, already_exists: nameExists },
  }),

  removeSavedReply: defineRoute({
    method: 'DELETE',
    paths: forSessions('/saved-replies/{replyId}'),
    tag,
    summary: 'Delete a saved reply',
    response: { status: 200, schema: ok },
    errors: { not_found: noSuchReply },
  }),
};
