import {
  createShardedUuid,
  createUuidV7,
  liveWorkspaceOf,
  testWorkspaceOf,
} from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { lockWorkspace } from './lock-workspace.ts';

export interface NewTestWorkspace {
  /** The id of the workspace or of its test workspace. */
  workspaceId: string;
  /** The provider account, which must be of the type of test mode. */
  account: { type: string; vendorAccountId: string; sealedSecret: string };
  /** The number from which it sends. */
  sender: string;
  createdAt: Date;
}

/**
 * Creates the test workspace of a workspace, with its account and sender, unless it exists. It starts with the name,
 * the country and the encoding of the workspace.
 */
export type CreateTestWorkspace = (workspace: NewTestWorkspace, by: Actor) => Promise<void>;

export function createCreateTestWorkspace({
  prisma,
}: Pick<Database, 'prisma'>): CreateTestWorkspace {
  return ({ workspaceId, account, sender, createdAt }, by) =>
    prisma.$transaction(async (tx) => {
      const liveId = liveWorkspaceOf(workspaceId);
      const id = testWorkspaceOf(workspaceId);
      await lockWorkspace(tx, liveId);
      if ((await tx.workspace.count({ where: { id } })) > 0) return;
      const live = await tx.workspace.findFirst({ where: { id: liveId, closedAt: null } });
      // It was closed while the request was in flight.
      if (live === null) return;
      const { name, country, encoding } = live;
      await tx.workspace.create({
        data: { id, name, country, encoding, createdAt, eventCounters: { create: {} } },
      });
      await recordAudit(tx, by, {
        workspaceId: id,
        action: 'workspace.created',
        target: id,
        detail: { name },
      });
      await tx.providerAccount.create({
        data: {
          ...account,
          id: createShardedUuid(createdAt.getTime()),
          workspaceId: id,
          secretLast4: '',
          isDefault: true,
          verifiedCredentials: account.sealedSecret,
          createdAt,
          updatedAt: createdAt,
        },
      });
      await tx.phoneNumber.create({
        data: {
          id: createUuidV7(createdAt.getTime()),
          workspaceId: id,
          number: sender,
          label: 'Test sender',
          isDefault: true,
          capabilities: ['sms', 'mms'],
          createdAt,
        },
      });
    });
}
