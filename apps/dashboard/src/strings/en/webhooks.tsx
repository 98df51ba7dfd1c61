import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// deliveries-dialog.tsx
export const all = 'All';
export const pending = 'Pending';
export const failed = 'Failed';
export const delivered = 'Delivered';
export const deliveries = 'Deliveries';
export const status = 'Status';
export const noDeliveries = 'No deliveries';
export const noDeliveriesHint = 'Deliveries from the last seven days appear here.';
export const deliveredWith = (statusCode: string) => `delivered, the response was ${statusCode}`;
export const response = 'Response';
export const messageDeleted = 'The message of this event has been deleted.';
export const request = 'Request';
export const retryNow = 'Retry now';
export const nextAttempt = (time: string) => `next attempt ${time}`;
export const attempt = ({ time, duration, result }: Attempt) => `${time} · ${duration} · ${result}`;
export const deliveryCount = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} delivery`,
    other: `${formatCount(count)} deliveries`,
  });

interface Attempt {
  time: string;
  duration: string;
  result: string;
}

// endpoint-row.tsx
export const disabledByUser = 'Disabled';
export const disabledGone = 'Disabled: the endpoint responded with 410';
export const disabledFailing = 'Disabled: every attempt failed for five days';
export const allEvents = 'All events';
export const nothingDeliveredYet = 'nothing delivered yet';
export const lastDelivered = (time: string) => `last delivered ${time}`;
export const sendTest = 'Send test';
export const replay = 'Replay';
export const disable = 'Disable';
export const enable = 'Enable';
export const replaceSecret = 'Replace secret';
export const replaceSecretOf = (url: string) => `Replace secret of ${url}`;
export const replaceSecretQuestion = 'Replace the secret?';
export const replaceSecretExplained =
  'For one day, deliveries are signed with both secrets. Switch the receiver to the new secret within that day.';
export const deleteNamed = (url: string) => `Delete ${url}`;
export const deleteThisEndpoint = 'Delete this endpoint?';
export const deleteThisEndpointExplained =
  'The endpoint receives no more events. Its deliveries are deleted, including those that are pending.';
export const working = 'Working';
export const latestFailed = (error: string) => `The latest delivery failed: ${error}.`;
export const failingSince = (time: string) => `Failing since ${time}`;
export const testDelivered = ({ status, duration }: { status: string; duration: string }) =>
  `The test was delivered: ${status} in ${duration}.`;
export const testFailed = (error: string) => `The test failed: ${error}. It will be retried.`;

// replay-dialog.tsx
export const replayEvents = 'Replay events';
export const replayAbout =
  'The endpoint receives the events since this time again, with the same IDs and sequence numbers. Events are kept for seven days.';
export const since = 'Since';
export const willBeSentAgain = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} event will be sent again.`,
    other: `${formatCount(count)} events will be sent again.`,
  });

// secret-dialog.tsx
export const signingSecret = 'Signing secret';
export const copySecretNow = 'Copy the secret now. It is shown only once.';
export const copySecret = 'Copy secret';

// verification-examples.tsx
export const verifyDelivery = 'Verify a delivery';
export const verifyDeliveryAbout =
  'Deliveries are signed according to Standard Webhooks. Verify the signature before you use an event, and ignore an event whose webhook-id you have already processed.';
export const language = 'Language';
export const copyCodeIn = (language: string) => `Copy the code in ${language}`;
export const codeIn = (language: string) => `Code in ${language}`;

// webhook-settings.tsx
export const webhooks = 'Webhooks';
export const webhooksAbout =
  'Your programs receive events at these URLs: new messages, status changes, replies and opt-outs. Each event is delivered at least once, and events are numbered without gaps.';
export const noEndpointsYet = 'No endpoints yet';
export const noEndpointsYetHint = 'Add the URL of a program below.';
export const addAnEndpoint = 'Add an endpoint';
export const url = 'URL';
export const urlHint = 'For example https://example.com/webhooks.';
export const description = 'Description';
export const descriptionHint = 'Optional, for example Web shop.';
export const addEndpoint = 'Add endpoint';
export const endpointCount = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} endpoint`,
    other: `${formatCount(count)} endpoints`,
  });

// verification-code.ts
export const noLibraryNeeded = 'No library needed';
