import { expect, test } from 'vitest';
import { readInbound } from './read-webhooks.ts';

test.each([
  ['Trip to Rome', 'Trip to Rome'],
  ['  Trip to Rome \r\n', 'Trip to Rome'],
  ['Trip\r\n to\tRome', 'Trip to Rome'],
  ['Größe 👟\0', 'Größe 👟\uFFFD'],
  ['Re: no subject line needed', 'Re: no subject line needed'],
  ['', null],
  [' ', null],
  [null, null],
  [undefined, null],
  [42, null],
  ['NoSubject', null],
  ['no subject', null],
  ['<No Subject>', null],
  ['(no-subject)', null],
  ['[no_subject]', null],
])('the subject %j of an MMS is read as %j, and the text stays beside it', (subject, expected) => {
  const telnyx = readInbound('telnyx', { subject, text: 'STOP' });
  const vonage = readInbound('vonage', { subject, message_type: 'text', text: 'STOP' });
  for (const message of [telnyx, vonage]) {
    expect(message).toMatchObject({ subject: expected, body: 'STOP' });
  }
});
