import { expect, test } from 'vitest';
import { parseTwiml } from './parse-twiml.ts';

const plain = { to: null, from: null, mediaUrls: [], statusCallback: null };

test.each([
  ['an empty response', '<?xml version="1.0"?><Response></Response>', []],
  [
    'a bare text',
    '<Response><Message>Hi &amp; bye</Message></Response>',
    [{ ...plain, body: 'Hi & bye' }],
  ],
  ['an old verb', '<Response><Sms>Hi</Sms></Response>', [{ ...plain, body: 'Hi' }]],
  ['a commented verb', '<Response><!-- <Message>no</Message> --></Response>', []],
  [
    'body, media and attributes',
    `<Response><Message to="+15550001111" statusCallback='http://h/?a=1&amp;b=2'>
       <Body><![CDATA[a < b & c]]></Body><Media>http://h/a.png</Media>
     </Message><Message>two &#x1F388;</Message></Response>`,
    [
      {
        ...plain,
        to: '+15550001111',
        statusCallback: 'http://h/?a=1&b=2',
        body: 'a < b & c',
        mediaUrls: ['http://h/a.png'],
      },
      { ...plain, body: 'two 🎈' },
    ],
  ],
])('TwiML with %s is parsed', (_name, xml, replies) => {
  expect(parseTwiml(xml)).toEqual(replies);
});
