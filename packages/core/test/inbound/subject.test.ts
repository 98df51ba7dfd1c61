import { expect, test } from 'vitest';
import {
  type ReadText,
  type ReceivedMessage,
  createReceiveInbound,
} from '../../src/inbound/receive-inbound.ts';
import type { InboundMessage } from '../../src/ports/inbound-message.ts';

/** Receives a message and returns what is stored. */
async function receive(fields: Partial<InboundMessage>) {
  const stored: { message: ReceivedMessage; text: ReadText }[] = [];
  const receiveInbound = createReceiveInbound({
    store: async (message, text) => {
      stored.push({ message, text });
      return { seq: 1, reply: null, isReplyWithheld: false, isSuspected: false };
    },
    publishLater: () => undefined,
    hintLater: () => undefined,
    reportProblem: () => undefined,
  });
  await receiveInbound(
    {
      sid: 'MM1',
      vendorAccountId: 'AC1',
      to: '+14155550100',
      from: '+14155550123',
      body: '',
      media: [],
      segments: 1,
      providerKeyword: null,
      ...fields,
    },
    {
      workspaceId: 'w1',
      providerId: 'p1',
      now: Date.now(),
      listedAt: null,
      requestId: 'r1',
      traceParent: null,
      log: { info: () => undefined },
    },
  );
  const [only] = stored;
  return {
    body: only?.message.body,
    keyword: only?.text.keyword?.keyword ?? null,
    text: only?.text,
  };
}

test.each([
  ['Rome', 'See you there', 'Rome\nSee you there'],
  ['Rome', '', 'Rome'],
  [null, 'See you there', 'See you there'],
  [undefined, 'See you there', 'See you there'],
  // Some phones write the text into the subject, too.
  ['See you there', 'See you there', 'See you there'],
  ['See you', 'See you\nthere', 'See you\nthere'],
])('the subject %j and the text %j are stored as %j', async (subject, body, stored) => {
  expect((await receive({ ...(subject !== undefined && { subject }), body })).body).toBe(stored);
});

test.each([
  ['STOP', 'Re: your offer', 'opt_out'],
  [' stop. ', 'Re: your offer', 'opt_out'],
  ['', 'STOP', 'opt_out'],
  ['\n', 'Stop!', 'opt_out'],
  ['STOP', 'STOP', 'opt_out'],
  ['START', 'Hello', 'opt_in'],
  ['Hello', 'STOP', null],
])(
  'the text %j with the subject %j has the keyword %s: a subject hides none',
  async (body, subject, keyword) => {
    expect((await receive({ body, subject })).keyword).toBe(keyword);
  },
);

test('a request to stop in a subject is suspected as an opt-out', async () => {
  const { text } = await receive({ subject: 'Please stop texting me', body: 'Thank you' });
  expect(text?.isSuspected).toBe(true);
});
