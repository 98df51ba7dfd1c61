import type { MailRequest, MailStore } from '@switchboard/database';
import { hashToken } from '@switchboard/credentials';
import type { FailureLimit } from '@switchboard/rate-limits';
import { toClientNetwork } from '../auth/client-network.ts';

export interface RequestMailDependencies {
  mails: Pick<MailStore, 'enqueue'>;
  /** Requests for one address of a user from one client, so that no stranger prevents the user's own request. */
  pairRequests: FailureLimit;
  /** Requests from one client, whatever the address. */
  clientRequests: FailureLimit;
  /** Whether workers send mails. */
  sendsMail: boolean;
}

export type RequestMail = ReturnType<typeof createRequestMail>;

/**
 * Stores the request for a mail to an address that a stranger may have typed. It does the same for every address: only the worker
 * finds out whether a user has it. So neither the response nor its time reveals that.
 */
export function createRequestMail(dependencies: RequestMailDependencies) {
  const { mails, pairRequests, clientRequests, sendsMail } = dependencies;

  /** @throws AppError `rate_limited` */
  return async function requestMail(
    mail: Extract<MailRequest, { kind: 'password_reset' | 'email_confirmation' }>,
    ip: string,
  ): Promise<void> {
    const client = toClientNetwork(ip);
    // The rate-limit store accepts only short keys with a limited character set.
    const address = hashToken(mail.recipient).toString('base64url');
    await clientRequests.begin(client);
    await pairRequests.begin(`${address}:${client}`);
    if (sendsMail) await mails.enqueue(mail);
  };
}
