import { AUDIT_ACTIONS } from '@switchboard/core';
import { z } from 'zod';
import { pageOf } from './page.ts';
import { timestamp } from './timestamp.ts';

export const auditEntry = z
  .object({
    id: z.uuid(),
    at: timestamp,
    actor: z.object({
      type: z.enum(['user', 'api_key', 'operator']).describe('`operator`: a command on the server'),
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
  })
  .meta({ id: 'AuditEntry' });

export const auditList = pageOf(auditEntry).meta({ id: 'AuditList' });

export type AuditEntry = z.infer<typeof auditEntry>;
