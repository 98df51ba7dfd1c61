import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// keyword-reply-settings.tsx
export const replyToStop = 'Reply to STOP';
export const replyToStart = 'Reply to START';
export const replyToHelp = 'Reply to HELP';
export const wordsLikeStop = 'More words like STOP';
export const wordsLikeStart = 'More words like START';
export const wordsLikeHelp = 'More words like HELP';
export const wordsHint = 'One word or phrase per line.';
export const keywordReplies = 'Keyword replies';
export const keywordRepliesAbout =
  'Each reply is sent from the number that received the keyword. If a field is empty, the default text shown in the field is sent. Your own words work like the built-in ones, if a message has nothing else in it.';
export const saveReplies = 'Save replies';

// opt-out-settings.tsx
export const addedHere = 'Added here';
export const reportedByProvider = 'Reported by the provider';
export const optOuts = 'Opt-outs';
export const optOutsAbout =
  'No message is sent to these numbers. A number that sends STOP is added, and a number that sends START is removed.';
export const noOptOuts = 'No opt-outs';
export const noOptOutsHint = 'Numbers that send STOP appear here.';
export const since = (time: string) => `Since ${time}`;
export const allowAgain = 'Allow again';
export const allowAgainNamed = (number: string) => `Allow again: ${number}`;
export const sendToAgain = (number: string) => `Send to ${number} again?`;
export const sendToAgainExplained =
  'Do this only if the recipient asked for messages again. In many countries, the law requires their consent.';
export const addANumber = 'Add a number';
export const addNumberAbout =
  'For a recipient who asked you to stop without sending STOP, for example by phone.';
export const number = 'Number';
export const optOut = 'Opt out';

export const numberCount = (count: number) =>
  plural(count, { one: `${formatCount(count)} number`, other: `${formatCount(count)} numbers` });
