import { OK, describeOnlyOwner, routes } from '@switchboard/contracts';
import { AppError, type BusNotification } from '@switchboard/core';
import type { CloseAccount } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { publishClosing } from '../publish-closing.ts';
import type { SecondFactor } from './second-factor.ts';

export interface CloseAccountDependencies {
  closeAccount: CloseAccount;
  secondFactor: Pick<SecondFactor, 'proveUser'>;
  /** False if passwords are switched off. */
  hasPasswords: boolean;
  publishLater(notification: BusNotification): void;
}

/** Registers the route by which users close their account. */
export function registerCloseAccountRoute(
  registerRoute: RegisterRoute,
  { closeAccount, secondFactor, hasPasswords, publishLater }: CloseAccountDependencies,
): void {
  registerRoute(routes.closeAccount, async ({ session, actor, body, request }) => {
    const { password, code } = body;
    await secondFactor.proveUser(session, { password, code }, { ip: request.ip, hasPasswords });
    const { userId } = actor;
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
    for (const { workspaceId, ...closed } of account.closed) {
      publishClosing(workspaceId, closed, publishLater);
    }
    request.log.info(
      { user_id: userId, workspaces_closed: account.closed.length },
      'account closed',
    );
    return OK;
  });
}
