import { AUDIT_ACTIONS } from '@switchboard/core';
import { z } from 'zod';
import { pageOf } from './page.ts';
import { instant, invalidParameter, pagingQuery } from './query.ts';
import { timestamp } from './timestamp.ts';

export const auditEntry = z
  .object({
    id: z.uuid(),
    at: timestamp,
    actor: z.object({
      type: z
        .enum(['user', 'api_key', 'operator'])
        .describe('`operator`: a command on the server, or the service itself'),
      id: z.uuid().nullable(),
      name: z.string().nullable().describe('An email address, or the name of a key'),
    }),
    action: z.enum(AUDIT_ACTIONS),
    target: z
      .string()
      .describe(
        'The id of the changed object; an email address for an invitation, an account for a provider',
      ),
    detail: z.record(z.string(), z.unknown()).describe('What changed; never contains a secret'),
    ip: z
      .string()
      .nullable()
      .describe(
        'The address of the client; null for a change that no request made, and in a command of the operator',
      ),
  })
  .meta({ id: 'AuditEntry' });

/** The parameters that select entries, also for the export. */
export const auditFilter = z.object({
  actor: z
    .string()
    .refine((value) => value === 'operator' || z.uuid().safeParse(value).success, {
      error: 'must be the id of a user or an API key, or operator',
    })
    .meta({ examples: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee36', 'operator'] })
    .optional()
    .describe(
      'Only changes by this user or API key; `operator` for commands on the server and the service itself',
    ),
  action: z
    .enum(AUDIT_ACTIONS, 'must be an action of the audit trail, for example api_key.created')
    .optional(),
  from: instant()
    .optional()
    .describe('Only entries from this instant on. A time without an offset is in UTC'),
  to: instant().optional().describe('Only entries before this instant'),
});

export const auditQuery = pagingQuery.extend(auditFilter.shape);

/** Throws `invalid_params` if the period ends before it begins. */
export function toAuditSelection({ from, to, ...rest }: z.output<typeof auditFilter>) {
  if (from !== undefined && to !== undefined && from.ms >= to.ms) {
    throw invalidParameter('from', 'must be before `to`');
  }
  const toDate = (at: typeof from) => (at === undefined ? undefined : new Date(at.ms));
  return { ...rest, from: toDate(from), to: toDate(to) };
}

export const auditList = pageOf(auditEntry).meta({ id: 'AuditList' });

export type AuditEntry = z.infer<typeof auditEntry>;
