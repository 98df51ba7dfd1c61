import { OK, refuse, routes } from '@switchboard/contracts';
import type { BusNotification } from '@switchboard/core';
import { toClientAddress } from '../auth/client-network.ts';
import type { RegisterRoute } from '../http/register-route.ts';
import type { RequestMail } from './request-mail.ts';
import type { UseLink } from './use-link.ts';

export interface LinkRouteDependencies {
  requestMail: RequestMail;
  useLink: UseLink;
  /** False if passwords are switched off. */
  hasPasswords: boolean;
  publishLater(notification: BusNotification): void;
}

/** Registers the routes by which users without a session get back in and confirm addresses. */
export function registerLinkRoutes(
  registerRoute: RegisterRoute,
  { requestMail, useLink, hasPasswords, publishLater }: LinkRouteDependencies,
): void {
  registerRoute(routes.requestPasswordReset, async ({ body: { email }, request }) => {
    if (!hasPasswords) throw refuse(routes.requestPasswordReset, 'forbidden');
    await requestMail({ kind: 'password_reset', recipient: email }, request.ip);
    return OK;
  });

  registerRoute(routes.resetPassword, async ({ params, body, request }) => {
    if (!hasPasswords) throw refuse(routes.resetPassword, 'forbidden');
    const ended = await useLink.resetPassword(
      params.resetToken,
      body.password,
      toClientAddress(request.ip),
    );
    for (const sessionId of ended) publishLater({ kind: 'session_ended', sessionId });
    return OK;
  });

  registerRoute(routes.requestEmailConfirmation, async ({ body: { email }, request }) => {
    await requestMail({ kind: 'email_confirmation', recipient: email }, request.ip);
    return OK;
  });

  registerRoute(routes.confirmEmail, async ({ params, request }) => {
    await useLink.confirmEmail(params.emailToken, toClientAddress(request.ip));
    return OK;
  });
}
