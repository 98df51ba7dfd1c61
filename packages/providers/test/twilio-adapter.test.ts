import { createTwilioAdapter } from '../src/twilio/twilio-adapter.ts';
import { describeAdapterContract } from './adapter-contract/describe-adapter-contract.ts';
import { formatMessage, TWILIO_ACCOUNT } from './twilio-answers.ts';

describeAdapterContract('twilio', {
  createAdapter: createTwilioAdapter,
  account: TWILIO_ACCOUNT,
  acceptance: { status: 201, body: JSON.stringify(formatMessage({ to: undefined })) },
});
