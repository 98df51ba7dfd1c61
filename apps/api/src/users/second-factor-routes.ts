import { OK, routes } from '@switchboard/contracts';
import type { BusNotification } from '@switchboard/core';
import { toClientAddress } from '../auth/client-network.ts';
import type { RegisterRoute } from '../http/register-route.ts';
import type { SecondFactor } from './second-factor.ts';

export interface SecondFactorRouteDependencies {
  secondFactor: SecondFactor;
  publishLater(notification: BusNotification): void;
}

/** Registers the routes by which users turn their second factor on and off. */
export function registerSecondFactorRoutes(
  registerRoute: RegisterRoute,
  { secondFactor, publishLater }: SecondFactorRouteDependencies,
): void {
  registerRoute(routes.beginTotp, ({ session, body }) =>
    secondFactor.begin(session, body.password),
  );

  registerRoute(routes.confirmTotp, async ({ session, body: { code }, request }) => {
    const { codes, endedSessionIds } = await secondFactor.confirm(
      session,
      code,
      toClientAddress(request.ip),
    );
    for (const sessionId of endedSessionIds) publishLater({ kind: 'session_ended', sessionId });
    return { recovery_codes: codes };
  });

  registerRoute(routes.createRecoveryCodes, async ({ session, body, request }) => ({
    recovery_codes: await secondFactor.createRecoveryCodes(
      session,
      body,
      toClientAddress(request.ip),
    ),
  }));

  registerRoute(routes.removeTotp, async ({ session, body, request }) => {
    await secondFactor.remove(session, body, toClientAddress(request.ip));
    publishLater({ kind: 'access_changed', id: session.user.id });
    return OK;
  });
}
