import { type Database, createMailStore } from '@switchboard/database';
import { type Mailer, describeMailFailure } from '@switchboard/mail';
import type { Finding } from './finding.ts';

const part = 'mail';

/** Connects to the mail server and signs in. `mailer` is null if no mail is sent. */
export async function checkMail(mailer: Pick<Mailer, 'verify'> | null): Promise<Finding[]> {
  if (mailer === null) {
    const detail =
      'SMTP_URL is not set, so users cannot reset their password themselves: `npm run reset-password -- EMAIL` prints a link.';
    return [{ result: 'good', part, detail }];
  }
  try {
    await mailer.verify();
  } catch (error) {
    const detail = `The mail server cannot be used: ${describeMailFailure(error).reason}.`;
    return [{ result: 'problem', part, detail }];
  }
  return [{ result: 'good', part, detail: 'The mail server accepts the connection.' }];
}

/** Reports mails that workers could not send. */
export async function checkWaitingMails(database: Database): Promise<Finding[]> {
  const { count, reason } = await createMailStore(database).countFailing();
  if (count === 0) return [];
  const detail = `${count} mails could not be sent and are tried again, the latest because: ${reason ?? 'unknown'}.`;
  return [{ result: 'problem', part: 'waiting mails', detail }];
}
