import type { SendRequest } from '@switchboard/core';
import { type PduContent, splitText } from '@switchboard/smpp';

import { formatAddresses } from './address.ts';
import type { SmppSettings } from './credentials.ts';

const WITHOUT_RECEIPT = 0;
const WITH_RECEIPT = 1;

/**
 * Creates the submit_sm of each part. Only the last one requests a receipt, because its identifier is that
 * of the message.
 */
export function formatSubmit(
  { to, body }: Pick<SendRequest, 'to' | 'body'>,
  from: string,
  settings: SmppSettings,
  reference: number,
): PduContent[] {
  const addresses = formatAddresses({ from, to }, settings);
  const texts = splitText(body, reference, settings.longMessages);
  return texts.map((text, index) => ({
    command: 'submit_sm',
    serviceType: '',
    ...addresses,
    protocolId: 0,
    priority: 0,
    scheduleTime: '',
    validityPeriod: '',
    registeredDelivery: index === texts.length - 1 ? WITH_RECEIPT : WITHOUT_RECEIPT,
    replaceIfPresent: 0,
    defaultMessageId: 0,
    ...text,
  }));
}
