import { createTelnyxAdapter } from '../src/telnyx/telnyx-adapter.ts';
import { describeAdapterContract } from './adapter-contract/describe-adapter-contract.ts';
import { createTelnyxAccount, signTelnyxWebhook } from '@switchboard/testing/webhooks';

const problem = (status: number, code: string) => ({
  status,
  body: JSON.stringify({ errors: [{ code, title: 'No', detail: 'It was refused.' }] }),
});

const account = createTelnyxAccount('KEY0123456789');

describeAdapterContract('telnyx', {
  createAdapter: createTelnyxAdapter,
  account,
  otherAccount: createTelnyxAccount('KEY9876543210'),
  credentials: {
    valid: {
      api_key: 'KEY0123456789_abcdef',
      public_key: account.vendorAccountId,
      messaging_profile_id: '4000eba1-a0c0-4563-9925-b25e842a7cb6',
    },
    secret: ['api_key'],
    required: ['api_key', 'public_key'],
  },
  acceptance: {
    status: 200,
    body: JSON.stringify({
      data: {
        record_type: 'message',
        direction: 'outbound',
        id: '40385f64-5717-4562-b3fc-2c963f66afa6',
        from: { phone_number: '+15557654321' },
        to: [{ status: 'queued' }],
        text: 'Hello',
        parts: 1,
        media: [],
        errors: [],
      },
    }),
  },
  errors: {
    throttled: problem(429, '10011'),
    credentials: problem(401, '10009'),
    refused: problem(422, '10004'),
    optedOut: problem(400, '40300'),
    accountOnly: problem(400, '40010'),
    internal: problem(500, '10007'),
  },
  webhooks: {
    delivered: 'delivered',
    toleranceMs: { past: 300_000, future: 300_000 },
    sign: signTelnyxWebhook,
  },
});
