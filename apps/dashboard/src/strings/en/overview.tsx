import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// breakdown.tsx
export const sent = 'Sent';
export const failed = 'Failed';
export const deliveryRate = 'Delivery rate';
export const failedOf = ({ failed, name }: { failed: string; name: string }) =>
  `${failed} failed: ${name}`;
export const showFewer = 'Show fewer';
export const showAll = (length: number) => `Show all ${formatCount(length)}`;
export const noneYet = 'none yet';

// change.tsx
export const unchanged = 'unchanged';
export const upFrom = (earlier: string) => `up from ${earlier}`;
export const downFrom = (earlier: string) => `down from ${earlier}`;

// chart-series.ts
export const delivered = 'Delivered';
export const inProgress = 'In progress';
export const received = 'Received';

// chart-table.tsx
export const asTable = 'As a table';
export const messagesByTime = 'Messages by time';
export const from = 'From';

// country-name.ts
export const andOthers = ({ name, code }: { name: string; code: string }) =>
  `${name} and others (+${code})`;

// delivery-breakdowns.tsx
export const comparedWith = ({ first, last }: { first: string; last: string }) =>
  `Compared with the same weekdays, ${first} to ${last}.`;
export const delivery = 'Delivery';
export const byCountry = 'By country';
export const shortCodesAndOthers = 'Short codes and others';
export const bySender = 'By sender';
export const noSenderYet = 'No sender yet';
export const byProviderAccount = 'By provider account';
export const notSentYetOrRemoved = 'Not sent yet, or a removed account';
export const byApiKeyAndPerson = 'By API key and person';
export const keywordRepliesAndOthers = 'Keyword replies and others';

// error-code-list.tsx
export const errorCodes = 'Error codes';
export const noErrors = 'No errors';
export const noErrorsHint = 'No message failed in this time range or the preceding one.';

// message-chart.tsx
export const selectBar = 'Select a bar to see its messages.';
export const scale = 'Scale';
export const messagesBy = { hour: 'Messages by hour', day: 'Messages by day' };
export const chartOfMessagesBy = {
  hour: 'Messages by hour; the table below has the numbers',
  day: 'Messages by day; the table below has the numbers',
};
export const bar = ({ time, sent, delivered, failed, received }: Bar) =>
  `${time}: ${formatCount(sent)} sent, ${formatCount(delivered)} delivered, ${formatCount(failed)} failed, ${formatCount(received)} received`;

interface Bar {
  time: string;
  sent: number;
  delivered: number;
  failed: number;
  received: number;
}

// overview-page.tsx
export const range = 'Range';

// totals.tsx
export const fromAcceptance = 'from acceptance';
export const scheduled = 'Scheduled';
export const toBeSentLater = 'to be sent later';
export const ofMessagesWithFinalStatus = 'of messages with a final status';
export const medianTimeToDelivery = 'Median time to delivery';
export const mostDeliveredWithin = '95% delivered within';
export const byThisWorkspace = 'by this workspace';
export const showMessagesOf = ({ name, value }: { name: string; value: string }) =>
  `${name}: ${value}. Show the messages.`;

// ranges.ts
export const lastHours = (count: number) =>
  plural(count, { one: `${formatCount(count)} hour`, other: `${formatCount(count)} hours` });
export const lastDays = (count: number) =>
  plural(count, { one: `${formatCount(count)} day`, other: `${formatCount(count)} days` });
