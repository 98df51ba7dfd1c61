import { escapeHtml } from './escape-html.ts';
import { NOTICES, type NoticeKind } from './account-notices.ts';

/** What a mail says, and the token of its link. */
export type MailContent =
  | { kind: 'password_reset'; token: string }
  | { kind: 'email_confirmation'; token: string }
  | { kind: 'email_change'; token: string }
  /** To the present address. */
  | { kind: 'email_change_notice' }
  | { kind: NoticeKind }
  | { kind: 'invitation'; token: string; workspaceName: string; inviterName: string };

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface Parts {
  subject: string;
  /** Paragraphs. `null` is the place of the link. */
  body: (string | null)[];
  button: string;
}

/** Writes a mail in plain text and HTML. Its link begins with `publicUrl`, never with a value of a request. */
export function composeMail(content: MailContent, publicUrl: string): MailText {
  const { subject, body, button } = describe(content);
  const link = 'token' in content ? linkTo(publicUrl, content.kind, content.token) : publicUrl;
  const footer = `This mail was sent by Switchboard at ${publicUrl}.`;
  const paragraphs = [...body, footer];
  const toHtml = (paragraph: string | null) =>
    paragraph === null
      ? `<p><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></p><p>${escapeHtml(link)}</p>`
      : `<p>${escapeHtml(paragraph)}</p>`;
  return {
    subject,
    text: `${paragraphs.map((paragraph) => paragraph ?? link).join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${paragraphs.map(toHtml).join('')}</body></html>`,
  };
}

/** The pages of the dashboard. Browsers do not send the fragment of a URL, so no server or proxy logs the token. */
const PAGES = {
  password_reset: 'reset-password#token',
  email_confirmation: 'confirm-email#token',
  email_change: 'confirm-email#token',
  invitation: 'invite#invite',
  sign_in: 'sign-in#link',
} as const;

export function linkTo(publicUrl: string, kind: keyof typeof PAGES, token: string): string {
  return `${publicUrl}/${PAGES[kind]}=${token}`;
}

const CHANGE_PASSWORD = 'If it was not you, change your password now:';

function describe(content: MailContent): Parts {
  switch (content.kind) {
    case 'password_reset':
      return {
        subject: 'Reset your Switchboard password',
        body: [
          'Someone asked for a new password for your Switchboard account. To choose one, open this link within one hour. It works once.',
          null,
          'If you did not ask for it, ignore this mail. Your password stays as it is.',
        ],
        button: 'Choose a new password',
      };
    case 'email_confirmation':
      return {
        subject: 'Confirm your email address',
        body: [
          'To confirm that this address belongs to your Switchboard account, open this link within 24 hours.',
          null,
          'If you have no such account, ignore this mail.',
        ],
        button: 'Confirm this address',
      };
    case 'email_change':
      return {
        subject: 'Confirm your new email address',
        body: [
          'To use this address for your Switchboard account, open this link within 24 hours. Until then, the account keeps its present address.',
          null,
          'If you did not ask for it, ignore this mail.',
        ],
        button: 'Use this address',
      };
    case 'email_change_notice':
      return {
        subject: 'The email address of your account is about to change',
        body: [
          'Someone who knows the password of your Switchboard account asked to replace this email address by another one. The change takes effect when the other address is confirmed.',
          'If it was not you, change your password now, which also cancels the change:',
          null,
        ],
        button: 'Open Switchboard',
      };
    case 'invitation': {
      const workspace = toPlainName(content.workspaceName) ?? 'a workspace';
      const inviter = toPlainName(content.inviterName) ?? 'An owner';
      return {
        subject: `Invitation to ${workspace} on Switchboard`,
        body: [
          `${inviter} invites you to ${workspace} on Switchboard. To join, open this link within seven days.`,
          null,
          'Anyone who has the link can join in your place, so do not forward this mail. If you do not expect this invitation, ignore it.',
        ],
        button: 'See the invitation',
      };
    }
    default: {
      const [subject, happened, advice = CHANGE_PASSWORD] = NOTICES[content.kind];
      return { subject, body: [happened, advice, null], button: 'Open Switchboard' };
    }
  }
}

/**
 * Returns a name that users chose, or null if it could be read as an address, a link or another text: anyone may
 * choose a name, and the mail goes to any address.
 */
function toPlainName(name: string): string | null {
  const plain = name.replaceAll(/[\p{Cc}\p{Default_Ignorable_Code_Point}\s]+/gu, ' ').trim();
  const isName = plain.length <= 60 && !/[/\\@:<>[\]()]|\p{L}\.\p{L}|www\b/iu.test(plain);
  return isName && plain !== '' ? plain : null;
}
