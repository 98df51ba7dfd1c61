import { optional } from './declare-setting.ts';
import { mailSenderSetting, smtpUrlSetting } from './mail-kinds.ts';

export const MAIL_SETTINGS = {
  SMTP_URL: optional(smtpUrlSetting(), {
    readBy: ['api', 'worker'],
    absent: 'no mail is sent',
    description:
      'The server for [mails to users](accounts.md#mail): password resets, confirmations of addresses, invitations. A password is sent only over verified TLS, except to this machine.',
  }),
  MAIL_FROM: optional(mailSenderSetting(), {
    readBy: ['api', 'worker'],
    absent: 'no mail is sent',
    description: 'The sender of these mails. `SMTP_URL` and `MAIL_FROM` are set together.',
  }),
};
