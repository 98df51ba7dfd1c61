import type { FastifyInstance } from 'fastify';
import type { PictureStore } from '../inbound/picture-store.ts';
import { type DescribeReceiver, listReceivers } from '../inbound/receiver.ts';
import type { Journal } from '../ledger/journal.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { type PhoneEventsDependencies, registerPhoneEvents } from './events.route.ts';
import { registerMessageMedia } from './message-media.route.ts';
import type { PhoneStore } from './phone-store.ts';
import { registerPhones } from './phones.route.ts';

interface Dependencies extends PhoneEventsDependencies {
  messages: Pick<MessageStore, 'all' | 'findBySid'>;
  phones: PhoneStore;
  journal: Journal;
  numbers: Pick<NumberStore, 'all'>;
  describeReceiver: DescribeReceiver;
  pictures: Pick<PictureStore, 'get'>;
}

/** Registers the control routes that the page with the phones needs, besides those of inbound messages. */
export function registerPhoneControls(app: FastifyInstance, dependencies: Dependencies): void {
  const { phones, journal, numbers, describeReceiver, messages, pictures } = dependencies;
  registerPhones(app, phones, journal);
  registerPhoneEvents(app, dependencies);
  registerMessageMedia(app, messages, pictures);
  app.get('/numbers', async () => [...listReceivers(numbers, describeReceiver)]);
}
