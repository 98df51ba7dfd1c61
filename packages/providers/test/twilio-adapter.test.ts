import { createTwilioAdapter } from '../src/twilio/twilio-adapter.ts';
import { describeAdapterContract } from './adapter-contract/describe-adapter-contract.ts';
import { signTwilioWebhook } from './twilio/sign-webhook.ts';
import { formatMessage, TWILIO_ACCOUNT } from './twilio-responses.ts';

const problem = (status: number, code: number) => ({
  status,
  body: JSON.stringify({ code, message: 'No', status }),
});

describeAdapterContract('twilio', {
  createAdapter: createTwilioAdapter,
  account: TWILIO_ACCOUNT,
  otherAccount: {
    vendorAccountId: `AC${'b2'.repeat(16)}`,
    secret: 'another auth token',
    senderPool: null,
  },
  credentials: {
    valid: {
      account_sid: TWILIO_ACCOUNT.vendorAccountId,
      auth_token: 'an-auth-token-1234',
      messaging_service_sid: `MG${'c3'.repeat(16)}`,
    },
    secret: ['auth_token'],
    required: ['account_sid', 'auth_token'],
  },
  acceptance: { status: 201, body: JSON.stringify(formatMessage({ to: undefined })) },
  errors: {
    throttled: problem(429, 20429),
    credentials: problem(401, 20003),
    refused: problem(400, 21604),
    optedOut: problem(400, 21610),
    accountOnly: problem(400, 21612),
    internal: problem(500, 20500),
  },
  webhooks: { delivered: 'delivered', toleranceMs: null, sign: signTwilioWebhook },
});
