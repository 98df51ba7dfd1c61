import type { AuditAction } from '@switchboard/core';
import type { Prisma } from '../generated/client.ts';

/** Who makes a change: a person, a program by its key, or the operator by a command. */
export type Actor =
  | { kind: 'user'; userId: string }
  | { kind: 'api_key'; apiKeyId: string }
  | { kind: 'operator' };

export const OPERATOR: Actor = { kind: 'operator' };

/** Notes a change in the transaction that makes it: there is no change without its entry. */
export async function recordAudit(
  tx: Prisma.TransactionClient,
  by: Actor,
  entry: {
    workspaceId: string;
    action: AuditAction;
    target: string;
    detail?: Prisma.InputJsonObject;
  },
): Promise<void> {
  await tx.auditEntry.create({
    data: {
      ...entry,
      userId: by.kind === 'user' ? by.userId : null,
      apiKeyId: by.kind === 'api_key' ? by.apiKeyId : null,
    },
  });
}
