import { createInviteToken, createLinkToken, hashToken } from '@switchboard/credentials';
import type { DueMail, MailStore } from '@switchboard/database';
import { type MailContent, type Mailer, composeMail, describeMailFailure } from '@switchboard/mail';
import type { RateLimit } from '@switchboard/rate-limits';
import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface SendMailsDependencies {
  store: Pick<MailStore, 'takeDue' | 'open' | 'remove' | 'postpone'>;
  mailer: Mailer;
  /** For each kind of mail and address. Mails beyond it wait for the end of the window. */
  addressLimit: Pick<RateLimit, 'count'>;
  /** For the invitations of a workspace. */
  invitationLimit: Pick<RateLimit, 'count'>;
  publicUrl: string;
  metrics: Pick<WorkerMetrics, 'mails'>;
  logger: Logger;
}

export interface SendMails {
  /** Starts to send what is due, and does not wait for it. */
  poll(): void;
  /** Finishes the mails that are being sent. */
  stop(): Promise<void>;
}

const PAGE_SIZE = 20;
const CONCURRENCY = 4;
/** Longer than all steps of a connection take together. */
const LEASE_MS = 180_000;
/** The pauses between attempts. The last one repeats until the mail expires. */
const RETRIES_MS = [10_000, 30_000, 60_000, 300_000, 900_000];

/**
 * Creates the sender of mails. The token of a link is created here for each attempt, and only its hash is stored, so that the
 * token is nowhere but in the mail.
 */
export function createSendMails(dependencies: SendMailsDependencies): SendMails {
  const { store, mailer, publicUrl, metrics, logger } = dependencies;
  let sending: Promise<void> | null = null;
  let isStopped = false;

  async function sendDue(): Promise<void> {
    for (;;) {
      const due = await store.takeDue(PAGE_SIZE, LEASE_MS);
      const waiting = [...due];
      const sendNext = async (): Promise<void> => {
        for (let mail = waiting.shift(); mail !== undefined && !isStopped; mail = waiting.shift()) {
          await send(mail);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
      if (due.length < PAGE_SIZE || isStopped) return;
    }
  }

  async function send(mail: DueMail): Promise<void> {
    const log = logger.child({ kind: mail.kind, attempt: mail.attempts });
    // Before the new token replaces the one that the user has received.
    const waitMs = mail.attempts === 1 ? await countMail(mail) : 0;
    if (waitMs > 0) {
      await store.postpone(mail, waitMs, null);
      return;
    }
    const token = createToken(mail.kind);
    const opened = await store.open(mail, hashToken(token));
    if (opened === null) {
      await store.remove(mail);
      return;
    }
    try {
      await mailer.send(mail.recipient, composeMail({ ...opened, token }, publicUrl));
    } catch (error) {
      const { isPermanent, reason } = describeMailFailure(error);
      metrics.mails.inc({ result: isPermanent ? 'refused' : 'failed' });
      if (isPermanent) {
        log.warn({ reason }, 'mail refused by the server');
        await store.remove(mail);
      } else {
        log.error({ reason }, 'failed to send a mail');
        const pauseMs = RETRIES_MS[mail.attempts - 1] ?? RETRIES_MS.at(-1) ?? 0;
        await store.postpone(mail, pauseMs, reason);
      }
      return;
    }
    metrics.mails.inc({ result: 'sent' });
    log.info('mail sent');
    await store.remove(mail);
  }

  /** Counts the mail, and returns how long it has to wait because of a limit, in ms. */
  async function countMail({ kind, recipient, workspaceId }: DueMail): Promise<number> {
    const address = hashToken(recipient).toString('base64url');
    const states = [await dependencies.addressLimit.count({ client: `${kind}:${address}` })];
    if (workspaceId !== null) {
      states.push(await dependencies.invitationLimit.count({ client: workspaceId }));
    }
    return Math.max(
      0,
      ...states.map((state) => (state?.exceeded ? state.resetSeconds * 1_000 : 0)),
    );
  }

  return {
    poll() {
      if (sending !== null || isStopped) return;
      sending = sendDue()
        .catch((error: unknown) => logger.warn({ err: error }, 'failed to process mails'))
        .finally(() => (sending = null));
    },
    async stop() {
      isStopped = true;
      await sending;
    },
  };
}

function createToken(kind: MailContent['kind']): string {
  if (kind === 'invitation') return createInviteToken();
  return createLinkToken(kind === 'password_reset' ? 'password_reset' : 'email');
}
