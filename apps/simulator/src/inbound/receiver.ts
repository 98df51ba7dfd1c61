import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import type { PhoneNumber } from '../numbers/owned-number.ts';
import type { Provider } from '../provider.ts';

/** Pictures in one inbound message: Vonage's webhook has one, SMPP and a phone's gateway carry only texts. */
const MAX_PICTURES: Record<Provider, number> = {
  twilio: 10,
  telnyx: 10,
  vonage: 1,
  smpp: 0,
  http: 0,
};

/** What receives the messages to a number of an account. */
export interface Receiver {
  number: PhoneNumber;
  provider: Provider;
  /** With an SMS application, Twilio ignores the `SmsUrl`, and the simulator sends nothing. */
  hasApplication: boolean;
  /** Whether the account has a URL for received messages, or needs none. */
  isConfigured: boolean;
  maxPictures: number;
}

export type DescribeReceiver = (number: PhoneNumber) => Receiver;

export function createDescribeReceiver(
  vendorAccounts: Pick<VendorAccountStore, 'find'>,
): DescribeReceiver {
  return function describeReceiver(number) {
    const vendor = vendorAccounts.find(number.accountSid);
    const provider = vendor?.provider ?? 'twilio';
    const phoneUrl = vendor?.eventUrls?.['sms:received'];
    const url = phoneUrl ?? vendor?.inboundUrl ?? number.smsUrl;
    const hasApplication = number.smsApplicationSid !== '';
    return {
      number,
      provider,
      hasApplication,
      isConfigured: url !== '' || hasApplication || provider === 'smpp',
      maxPictures: MAX_PICTURES[provider],
    };
  };
}

/** Lists the numbers of all accounts, each with its provider and whether it can receive messages. */
export function* listReceivers(
  numbers: Pick<NumberStore, 'all'>,
  describe: DescribeReceiver,
): Generator<object> {
  for (const number of numbers.all()) {
    const { provider, isConfigured, maxPictures } = describe(number);
    yield {
      number: number.phoneNumber,
      provider,
      account_sid: number.accountSid,
      receives: isConfigured,
      max_pictures: maxPictures,
    };
  }
}
