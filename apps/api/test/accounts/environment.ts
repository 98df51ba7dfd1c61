import {
  EVENTUALLY,
  type ChildProcess,
  type MailServer,
  type ReceivedMail,
  startMailServer,
  startWorker,
} from '@switchboard/testing';
import { expect, vi } from 'vitest';
import { type ApiResponse, type Service, ask, startService } from '../start-service.ts';

export interface MailingService extends Service {
  mailServer: MailServer;
  /** The lines of all logs of the API and the worker. */
  worker: ChildProcess;
  /** Waits for the mail with this number, from 1, to an address, and returns it. */
  waitForMail(address: string, number?: number): Promise<ReceivedMail>;
  /** Asks with the address of a client, of which each test has its own. */
  askFrom(client: string, path: string, json?: unknown): Promise<ApiResponse>;
}

/** Starts a service whose worker sends mails to a real SMTP server. */
export async function startMailingService(): Promise<MailingService> {
  const mailServer = await startMailServer();
  const mail = { SMTP_URL: mailServer.url, MAIL_FROM: 'Switchboard <switchboard@example.com>' };
  const service = await startService({
    env: { ...mail, TRUST_PROXY: '1', ALLOW_SIGNUP: 'true', RATE_LIMIT_UI: '100000' },
  });
  const worker = await startWorker({
    DATABASE_URL: service.database.url,
    PUBLIC_URL: service.url,
    SWEEP_MS: '50',
    ...mail,
  });
  return {
    ...service,
    mailServer,
    worker,
    async waitForMail(address, number = 1) {
      const mailsTo = () => mailServer.mails.filter(({ to }) => to.includes(address));
      await vi.waitFor(() => expect(mailsTo().length).toBeGreaterThanOrEqual(number), EVENTUALLY);
      const found = mailsTo()[number - 1];
      if (found === undefined) throw new Error('the mail is missing');
      return found;
    },
    askFrom: (client, path, json) =>
      ask(service.url, path, {
        method: 'POST',
        headers: { 'x-forwarded-for': client },
        ...(json !== undefined && { json }),
      }),
    async close() {
      await worker.stop();
      await service.close();
      await mailServer.close();
    },
  };
}

/** Returns the token of the link in a mail. */
export function tokenIn({ links }: ReceivedMail): string {
  const token = /#(?:token|invite)=(\w+)$/.exec(links[0] ?? '')?.[1];
  if (token === undefined) throw new Error(`no link in ${links.join(', ')}`);
  return token;
}
