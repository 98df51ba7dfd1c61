import { AUDIT_ACTIONS } from '@switchboard/core';
import { z } from 'zod';
import { pageOf } from './page.ts';
import { timestamp } from './timestamp.ts';

export const auditEntry = z.object({
  id: z.uuid(),
  at: timestamp,
  /** `operator`: a command on the server. `name` is an email address or the name of a key. */
  actor: z.object({
    type: z.enum(['user', 'api_key', 'operator']),
    id: z.uuid().nullable(),
    name: z.string().nullable(),
  }),
  action: z.enum(AUDIT_ACTIONS),
  /** The id of what was changed; an email address for an invite, an account for a provider. */
  target: z.string(),
  /** What changed, never a secret. */
  detail: z.record(z.string(), z.unknown()),
});

export const auditList = pageOf(auditEntry);

export type AuditEntry = z.infer<typeof auditEntry>;
