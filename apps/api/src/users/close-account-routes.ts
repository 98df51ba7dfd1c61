import { CLOSE_ACCOUNT_HIDDEN, OK, describeOnlyOwner, routes } from '@switchboard/contracts';
import { AppError, type BusNotification } from '@switchboard/core';
import type { CloseAccount, WorkspaceStore } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { publishClosing } from '../publish-closing.ts';
import type { SecondFactor } from './second-factor.ts';

export interface CloseAccountDependencies {
  closeAccount: CloseAccount;
  workspaces: Pick<WorkspaceStore, 'listOfUser'>;
  secondFactor: Pick<SecondFactor, 'proveUser'>;
  /** False if passwords are switched off. */
  hasPasswords: boolean;
  publishLater(notification: BusNotification): void;
}

/** Registers the route by which users close their account. */
export function registerCloseAccountRoute(
  registerRoute: RegisterRoute,
  { closeAccount, workspaces, secondFactor, hasPasswords, publishLater }: CloseAccountDependencies,
): void {
  registerRoute(routes.closeAccount, async ({ session, actor, body, request }) => {
    const { password, code } = body;
    await secondFactor.proveUser(session, { password, code }, { ip: request.ip, hasPasswords });
    const { userId } = actor;
    // Memberships that groups gave are not used in a session that began with a password.
    const listOf = (usesGroups: boolean) => workspaces.listOfUser({ id: userId, usesGroups });
    if (!session.usesGroups && (await listOf(true)).length > (await listOf(false)).length) {
      throw new AppError('forbidden', CLOSE_ACCOUNT_HIDDEN);
    }
    const account = await closeAccount(actor);
    if (account.kind === 'only_owner') {
      throw new AppError('invalid_state', describeOnlyOwner(account.names));
    }
    for (const sessionId of account.endedSessionIds) {
      publishLater({ kind: 'session_ended', sessionId });
    }
    for (const workspaceId of account.left) {
      publishLater({ kind: 'member_removed', workspaceId, userId });
    }
    for (const closed of account.closed) {
      publishClosing(closed, { userId, log: request.log }, publishLater);
    }
    if (account.kept > 0) {
      request.log.warn(
        { user_id: userId, workspaces: account.kept },
        'closed account is still the only owner of workspaces',
      );
    }
    request.log.info(
      { user_id: userId, workspaces_closed: account.closed.length },
      'account closed',
    );
    return OK;
  });
}
