import { type Clock, createUuidV7, testWorkspaceOf } from '@switchboard/core';
import type { Actor, CreateTestWorkspace } from '@switchboard/database';
import { TEST_TYPE } from '@switchboard/providers';
import { MAGIC_SENDER } from '@switchboard/providers/magic-numbers';

/** Creates the test workspace of a workspace, unless it exists. */
export type OpenTestWorkspace = (workspaceId: string, by: Actor) => Promise<void>;

export function createOpenTestWorkspace(dependencies: {
  createTestWorkspace: CreateTestWorkspace;
  sealSecret(secret: string, workspaceId: string): Promise<string>;
  clock: Pick<Clock, 'now'>;
}): OpenTestWorkspace {
  const { createTestWorkspace, sealSecret, clock } = dependencies;

  return async function openTestWorkspace(workspaceId, by) {
    const at = clock.now();
    const created = {
      workspaceId,
      account: {
        type: TEST_TYPE,
        vendorAccountId: `${TEST_TYPE}-${createUuidV7(at)}`,
        // The sandbox has no secret, but every account has one in the form that all processes can read.
        sealedSecret: await sealSecret('', testWorkspaceOf(workspaceId)),
      },
      sender: MAGIC_SENDER,
      createdAt: new Date(at),
    };
    await createTestWorkspace(created, by);
  };
}
