import { formatCount } from '../../ui/format.ts';
import { oneNumber } from './phone.tsx';

// api-error.ts
export const serverUnreachable = 'The server can’t be reached. Check your connection.';

// create-api.ts
export const tooManyRequests = 'Too many requests. Try again in a moment.';

// explain-failure.ts
export const serverFailed = 'Something went wrong on the server. Try again.';
export const sendFailed =
  'Something went wrong, and the message may have been accepted. Send it again unchanged; it will not be sent twice.';
export const serverUnavailable =
  'The server is not available, and nothing was saved. Try again in a moment.';
export const slowRead = (isNarrower: boolean): string =>
  isNarrower
    ? 'This took longer than the limit of 10 seconds. Choose a shorter period, add a filter, or search for more words.'
    : 'This took longer than the limit of 10 seconds. Try again later.';
export const noProvider =
  'This workspace has no provider. An owner can connect one under Settings, Provider.';
export const recipientOptedOut =
  'This number has opted out by sending STOP. It can opt in again by sending START.';
export const noDefaultNumber = 'Choose a number: this workspace has no default number.';
export const numberExists = 'This number is already in the list.';
export const contactNumberExists =
  'Another contact has one of these numbers. Merge the two contacts.';
export const emailExists = 'This email address is already in use. Enter another address.';
export const nameExists = 'This name is already in use. Enter another name.';
export const codeReplaced =
  'The connection was lost, or Switchboard has been updated. Try again to reload the page; your drafts are kept.';
export const unexpectedError = 'An unexpected error occurred. Reload the page.';
export const credentialsRefused =
  'The provider does not accept these credentials. Copy all of them again from the provider’s console.';
export const attachmentDeleted =
  'An attached file was deleted because it was not sent within a day. Remove it, and attach it again.';
export const attachmentsTooLarge =
  'The attachments are larger than 5 MB in total. Remove some of them.';

// field-messages.ts
interface Limits {
  bodyCharacters: number;
  contact: { otherNumbers: number; tags: number; tagCharacters: number; fields: number };
}

/** What to enter in a form field, by the name of its API parameter. */
export function fieldMessages({
  bodyCharacters,
  contact,
}: Limits): Readonly<Record<string, string>> {
  const shortText = `Write at most ${formatCount(bodyCharacters)} characters.`;
  return {
    to: oneNumber,
    number: oneNumber,
    other_numbers: `Enter at most ${formatCount(contact.otherNumbers)} phone numbers with their country codes.`,
    from: 'Choose one of this workspace’s numbers.',
    body: `Write a message of at most ${formatCount(bodyCharacters)} characters.`,
    media_urls: 'Enter a URL that begins with https:// and contains no password.',
    scheduled_at: 'Choose a time in the future, at most 35 days ahead.',
    account_sid: 'Enter the account SID: AC followed by 32 digits or letters from a to f.',
    auth_token: 'Enter the auth token as the Twilio console shows it, without spaces.',
    messaging_service_sid:
      'Enter the messaging service SID: MG followed by 32 digits or letters from a to f.',
    sender:
      'Enter a short code of 3 to 8 digits, or a sender ID of at most 11 characters with a letter.',
    prefix: 'Enter + and the first 1 to 15 digits of the numbers, or leave the field empty.',
    weight: 'Enter a weight from 1 to 1,000 for at least one account.',
    url: 'Enter a URL that begins with https:// and is on the public internet.',
    description: 'Use at most 200 characters.',
    since: 'Choose a time in the past.',
    email: 'Enter an email address, for example ada@example.com.',
    password: 'Choose a password of 12 to 256 characters.',
    code: 'Enter the present code of your authenticator app. Each code works once: if you have just used it, wait for the next one. If none works, check the clock of your phone.',
    totp_code:
      'This code is wrong, or was used already. Each code works once: wait for the next one. If none works, check the clock of your phone.',
    recovery_code: 'Enter a recovery code that you have not used yet.',
    current_password: 'This is not your current password. Enter it again.',
    name: 'Enter a name of at most 100 characters.',
    label: 'Use at most 100 characters.',
    tags: `Use at most ${formatCount(contact.tags)} tags of at most ${formatCount(contact.tagCharacters)} characters.`,
    fields: `Give each field a name, and use at most ${formatCount(contact.fields)} fields.`,
    opt_out: shortText,
    opt_in: shortText,
    help: shortText,
  };
}
