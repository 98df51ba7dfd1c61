export { type MailContent, composeMail, linkTo } from './compose-mail.ts';
export { type Mailer, type MailerOptions, createMailer } from './create-mailer.ts';
export { describeMailFailure } from './describe-mail-failure.ts';
