import { createVonageAdapter } from '../src/vonage/vonage-adapter.ts';
import { describeAdapterContract } from './adapter-contract/describe-adapter-contract.ts';
import {
  createVonageAccount,
  formatError,
  signVonageWebhook,
  VONAGE_KEYS,
} from '@switchboard/testing/webhooks';

const problem = (status: number, code: string) => ({
  status,
  body: JSON.stringify(formatError(code)),
});

const APPLICATION = 'bf0ca0bf-5c5b-4a5b-9a5f-1f0a5f6f0001';

describeAdapterContract('vonage', {
  createAdapter: createVonageAdapter,
  account: createVonageAccount(APPLICATION, 'a-signature-secret'),
  otherAccount: createVonageAccount(
    'bf0ca0bf-5c5b-4a5b-9a5f-1f0a5f6f0002',
    'another signature secret',
  ),
  credentials: {
    valid: {
      application_id: APPLICATION,
      private_key: VONAGE_KEYS.privateKey,
      signature_secret: 'a-signature-secret',
      api_key: 'abcd1234',
      api_secret: 'a-secret-of-the-account',
    },
    secret: ['private_key', 'signature_secret', 'api_secret'],
    required: ['application_id', 'private_key', 'signature_secret'],
  },
  acceptance: {
    status: 202,
    body: JSON.stringify({ message_uuid: 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab' }),
  },
  errors: {
    throttled: problem(429, 'throttled'),
    credentials: problem(401, 'unauthorized'),
    refused: problem(422, '1010'),
    optedOut: problem(422, '1240'),
    accountOnly: problem(422, '1120'),
    internal: problem(500, '1030'),
  },
  webhooks: {
    delivered: 'delivered',
    toleranceMs: { past: 25 * 3_600_000, future: 300_000 },
    sign: signVonageWebhook,
  },
});
