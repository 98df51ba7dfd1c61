import {
  ESM_CLASS,
  type MessageFields,
  type PduContent,
  type TextFields,
  formatReceipt,
  splitText,
} from '@switchboard/smpp';
import type { Message } from '../messages/message.ts';
import { formatAddress } from './address.ts';
import { toDeliveryError } from './smpp-error.ts';

/** Creates the delivery receipts of a message in its current status, one for each part. */
export function formatReceipts(message: Message): PduContent[] {
  const { status, errorCode, createdAt, updatedAt, receipts = [] } = message;
  if (status !== 'delivered' && status !== 'undelivered') return [];
  const isDelivered = status === 'delivered';
  const result = isDelivered
    ? ({ state: 'DELIVRD', error: null } as const)
    : toDeliveryError(errorCode);
  const times = { submittedAt: new Date(createdAt), doneAt: new Date(updatedAt) };
  return receipts
    .filter(({ on }) => on === 'always' || !isDelivered)
    .map(({ id }) => {
      const { shortMessage, tlvs } = formatReceipt({ messageId: id, ...result }, times);
      const text = { shortMessage, tlvs, dataCoding: 0, esmClass: ESM_CLASS.RECEIPT };
      // The recipient of the message is the source of its receipt.
      return formatDeliver(message.to, message.from ?? '', text);
    });
}

/** Creates the deliver_sm of a received message, several for a long text. */
export function formatInbound({ from, to, body }: Message, reference: number): PduContent[] {
  return splitText(body, reference, 'udh').map((text) => formatDeliver(from ?? '', to, text));
}

function formatDeliver(from: string, to: string, text: TextFields): PduContent {
  const source = formatAddress(from);
  const destination = formatAddress(to);
  const fields: MessageFields = {
    serviceType: '',
    sourceTon: source.ton,
    sourceNpi: source.npi,
    source: source.address,
    destinationTon: destination.ton,
    destinationNpi: destination.npi,
    destination: destination.address,
    protocolId: 0,
    priority: 0,
    scheduleTime: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    defaultMessageId: 0,
    ...text,
  };
  return { command: 'deliver_sm', ...fields, tlvs: text.tlvs };
}
