import { BODY_MAX_CHARACTERS, CONTACT_LIMITS } from '@switchboard/contracts';

import { ONE_NUMBER } from '../phone/read-phone.ts';

const SHORT_TEXT = `Write at most ${BODY_MAX_CHARACTERS.toLocaleString()} characters.`;

/** The error message of each form field, by the name of its API parameter. */
const FIELD_MESSAGES: Readonly<Record<string, string>> = {
  to: ONE_NUMBER,
  number: ONE_NUMBER,
  other_numbers: `Enter at most ${CONTACT_LIMITS.otherNumbers} phone numbers with country code.`,
  from: 'Choose one of this workspace’s numbers.',
  body: `Write a message of at most ${BODY_MAX_CHARACTERS.toLocaleString()} characters.`,
  media_urls: 'Enter an address that begins with https:// and contains no password.',
  scheduled_at: 'Choose a time in the future, at most 35 days ahead.',
  account_sid: 'Enter the account SID: AC followed by 32 digits or letters from a to f.',
  auth_token: 'Enter the auth token as the Twilio console shows it, without spaces.',
  messaging_service_sid:
    'Enter the messaging service SID: MG followed by 32 digits or letters from a to f.',
  sender:
    'Enter a short code of 3 to 8 digits, or a sender ID of at most 11 characters with a letter.',
  prefix: 'Enter + and the first 1 to 15 digits of the numbers, or leave the field empty.',
  weight: 'Enter a weight from 1 to 1,000 for at least one account.',
  url: 'Enter an address that begins with https:// and is on the public internet.',
  description: 'Use at most 200 characters.',
  since: 'Choose a time in the past.',
  email: 'Enter an email address, for example ada@example.com.',
  password: 'Choose a password of 12 to 256 characters.',
  current_password: 'This is not your current password.',
  name: 'Enter a name of at most 100 characters.',
  label: 'Use at most 100 characters.',
  tags: `Use at most ${CONTACT_LIMITS.tags} tags of at most ${CONTACT_LIMITS.tagCharacters} characters.`,
  fields: `Give each field a name, and use at most ${CONTACT_LIMITS.fields} fields.`,
  opt_out: SHORT_TEXT,
  opt_in: SHORT_TEXT,
  help: SHORT_TEXT,
};

/** Accepts indexed names, for example `media_urls[2]`. */
export function messageForField(name: string): string | undefined {
  return FIELD_MESSAGES[name.replace(/\[\d+\]$/, '')];
}
