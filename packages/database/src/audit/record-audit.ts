import type { AuditAction } from '@switchboard/core';
import type { Prisma } from '../generated/client.ts';

/** Who makes a change: a user, a program with a key, or the operator with a command. */
export type Actor = (
  | { kind: 'user'; userId: string }
  /** `keyVersion`: the version of its secret in the request. */
  | { kind: 'api_key'; apiKeyId: string; keyVersion: number }
  /** A command on the server, or the service itself: also for a request, such as a sign-in that changes roles. */
  | { kind: 'operator' }
) & {
  /** The address of the client; null for what no request has caused. */
  ip: string | null;
};

export const OPERATOR: Actor = { kind: 'operator', ip: null };

/** Records a change in its transaction, so that there is no change without an entry. An entry with an `id` is recorded once. */
export async function recordAudit(
  tx: Pick<Prisma.TransactionClient, 'auditEntry'>,
  by: Actor,
  entry: {
    id?: string;
    at?: Date;
    workspaceId: string;
    action: AuditAction;
    target: string;
    detail?: Prisma.InputJsonObject;
  },
): Promise<void> {
  await tx.auditEntry.createMany({
    data: {
      ...entry,
      ip: by.ip,
      userId: by.kind === 'user' ? by.userId : null,
      apiKeyId: by.kind === 'api_key' ? by.apiKeyId : null,
    },
    skipDuplicates: true,
  });
}
