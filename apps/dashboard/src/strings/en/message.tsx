import type { ReactNode } from 'react';

// describe-sender.ts and use-sender-name.ts
export const you = 'You';
export const unknownSender = 'Unknown sender';
export const automaticReply = 'Automatic reply to a keyword';
export const automaticReplyTo = (keyword: string) => `Automatic reply to ${keyword}`;

// describe-event.ts
export const accepted = 'Accepted';
export const scheduled = 'Scheduled';
export const sendingToProvider = 'Sending to the provider';
export const notSent = 'Not sent. Retrying.';
export const outcomeUnknown = 'Outcome unknown. Checking with the provider.';
export const acceptedByProvider = 'Accepted by the provider';
export const refusedByProvider = 'Refused by the provider';
export const canceled = 'Canceled';
export const received = 'Received';

// error-box.tsx
export const whatWentWrong = 'What went wrong';
export const allMessagesWithThisError = 'All messages with this error';

// message-actions.tsx
export const conversation = 'Conversation';
export const cancelSending = 'Cancel sending';
export const cancelThisMessage = 'Cancel this message?';
export const sendNow = 'Send now';
export const sendThisMessageNow = 'Send this message now?';
export const canceledAndNotReplaced =
  'The scheduled message is canceled, but its replacement has not been sent. Select Send now again.';

// message-facts.tsx
export const details = 'Details';
export const from = 'From';
export const chosenWhenMessageIsSent = 'Chosen when the message is sent';
export const to = 'To';
export const sentBy = 'Sent by';
export const provider = 'Provider';
export const segments = 'Segments';
export const reference = 'Reference';
export const copyReference = 'Copy reference';
export const metadata = 'Metadata';
export const created = 'Created';
export const scheduledFor = 'Scheduled for';
export const sent = 'Sent';
export const delivered = 'Delivered';
export const providersMessageId = 'Provider’s message ID';
export const notAvailableYet = 'Not available yet';
export const messageId = 'Message ID';
export const copyProvidersMessageId = 'Copy provider’s message ID';
export const copyMessageId = 'Copy message ID';

// message-panel.tsx
export const message = 'Message';
export const closeMessage = 'Close message';
export const text = 'Text';
export const timeline = 'Timeline';
export const messageMissing = 'This message does not exist';
export const messageMissingHint = 'The address may be mistyped, or the message was deleted.';
export const backToMessages = 'Back to messages';
export const fromNamed = (other: string) => `From ${other}`;
export const toNamed = (other: string) => `To ${other}`;

// message-repeats.tsx
export const sentAgain = 'Sent again';

export const twilioPageAbout = (code: string) => `Twilio’s page about ${code}`;
export const cancelExplained = (number: string) => `The message will not be sent to ${number}.`;
export const sendNowExplained = ({ time, number }: { time: string; number: string }) =>
  `The message is scheduled for ${time}. The scheduled message is canceled, and one with the same content is sent to ${number} immediately.`;
export const willBeSent = (time: string) => `Will be sent ${time}`;
export const repeatOf = (link: (text: string) => ReactNode) => (
  <>Sent again. {link('First message')}</>
);
export const attemptWith = ({ attempt, account }: { attempt: string; account: string }) =>
  `Attempt ${attempt} with ${account}`;
/** The time between two events. */
export const after = (span: string) => `after ${span}`;
