import { createMailStore } from '@switchboard/database';
import { createMailer } from '@switchboard/mail';
import type { Logger } from '@switchboard/runtime';
import type { Config } from '../config.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import { type SendMails, createSendMails } from './send-mails.ts';

const HOUR_SECONDS = 3_600;
/** Mails of one kind to one address. A link for a new password is valid as long as this window lasts. */
const MAILS_PER_ADDRESS = 5;
const INVITATIONS_PER_WORKSPACE = 100;

/** Creates the part of the worker that sends mails to users, or null if no mail is sent. */
export function createMail(dependencies: {
  config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'>;
  infrastructure: Pick<Infrastructure, 'database' | 'limits'>;
  metrics: Pick<WorkerMetrics, 'mails'>;
  logger: Logger;
}): SendMails | null {
  const { config, infrastructure, metrics, logger } = dependencies;
  const { SMTP_URL: server, MAIL_FROM: from, PUBLIC_URL: publicUrl } = config;
  if (server === undefined || from === undefined) return null;
  const { database, limits } = infrastructure;
  return createSendMails({
    store: createMailStore(database),
    mailer: createMailer({ server, from, hostName: new URL(publicUrl).hostname }),
    addressLimit: limits.createLimit({
      name: 'mails',
      requests: MAILS_PER_ADDRESS,
      windowSeconds: HOUR_SECONDS,
    }),
    invitationLimit: limits.createLimit({
      name: 'invitations',
      requests: INVITATIONS_PER_WORKSPACE,
      windowSeconds: HOUR_SECONDS,
    }),
    publicUrl,
    metrics,
    logger,
  });
}
