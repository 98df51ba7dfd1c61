import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// add-number.tsx
export const addANumber = 'Add a number';
export const number = 'Number';
export const shortCodeOrSenderId = 'Short code or sender ID';
export const shortCodeOrSenderIdHint =
  '3 to 8 digits, or up to 11 characters with a letter, such as My Shop.';
export const labelOptional = 'Label (optional)';
export const labelOptionalHint = 'Shown only here, for example Support.';
export const providerAccount = 'Provider account';
export const addNumber = 'Add number';
export const isSender = 'This is a short code or an alphanumeric sender ID';
export const ready = (number: string) => `${number} is ready.`;
export const readyForBoth = (number: string) => `${number} is ready. Messages to it appear here.`;
export const addedWithoutInbound = (number: string) =>
  `${number} was added, but messages to it do not arrive here. Select Repair in the list of numbers to see why.`;

// number-settings.tsx
export const numbers = 'Numbers';
export const numbersAbout =
  'The numbers that messages are sent from. A message without a sender uses the default number.';
export const noNumbersYet = 'No numbers yet';
export const noNumbersYetHint = 'Add a number that your provider account owns.';
export const defaultLabel = 'Default';
export const providerAccountOf = (number: string) => `Provider account of ${number}`;
export const makeDefaultNamed = (number: string) => `Make default: ${number}`;
export const makeDefault = 'Make default';
export const remove = (number: string) => `Remove ${number}`;
export const removeQuestion = (number: string) => `Remove ${number}?`;
export const removeExplained =
  'This workspace can no longer send messages from this number. The history is kept, and you keep the number with your provider.';
export const shortCode = 'short code';
export const senderId = 'sender ID';
export const added = (time: ReactNode) => <>added {time}</>;
export const tollFree = 'toll-free';

// import-numbers.tsx
export const importNumbers = 'Import numbers';
export const importNumbersAbout =
  'Choose from the numbers that a provider account owns. If the provider permits it, messages to a number that you add then arrive here.';
export const numbersOf = (account: ReactNode) => <>Numbers of {account}</>;
export const numbersOfNamed = (account: string) => `Numbers of ${account}`;

// inbound-repair.tsx
export const inboundNever = 'receives no messages';
export const inboundHere = 'messages to it arrive here';
export const inboundElsewhere = 'messages to it do not arrive here';
export const inboundUnknown = 'the provider does not show whether messages to it arrive here';
export const repair = 'Repair';
export const setUpInbound = 'Set up inbound messages';
export const copyUrlForInboundMessages = 'Copy the URL for inbound messages';
export const repairNamed = (number: string) => `Repair ${number}`;
export const setUpInboundNamed = (number: string) => `Set up inbound messages to ${number}`;

// number-choice.tsx
export const providerAccountOwnsNoNumbers = 'The provider account owns no numbers.';
export const chooseAllOnThisPage = 'Choose all on this page';
export const chooseAll = 'Choose all';
export const numbersOfProviderAccount = 'Numbers of the provider account';
export const pagesOfNumbers = 'Pages of numbers';
export const adding = 'Adding…';
export const addNumbers = 'Add numbers';
export const messagesArriveHere = 'messages to it arrive here';
export const messagesAreNotForwarded = 'messages to it are not forwarded';
export const inThisWorkspace = 'In this workspace';
export const cannotSendMessages = 'can’t send messages';
export const moreThanListed = (count: number) =>
  `The account has more than ${formatCount(count)} numbers. The list shows the first ${formatCount(count)}. Add the others one by one under Add a number.`;
export const addNumbersCounted = (count: number) =>
  plural(count, {
    one: `Add ${formatCount(count)} number`,
    other: `Add ${formatCount(count)} numbers`,
  });
export const movedHere = (count: number) =>
  plural(count, {
    one: 'Messages to one of the chosen numbers go to another application now, and will arrive here instead.',
    other: `Messages to ${formatCount(count)} of the chosen numbers go to another application now, and will arrive here instead.`,
  });
export const movedByHand = (count: number) =>
  plural(count, {
    one: 'Messages to one of the chosen numbers go to another application now. To receive them here, change the number’s webhook in the provider’s console.',
    other: `Messages to ${formatCount(count)} of the chosen numbers go to another application now. To receive them here, change the numbers’ webhooks in the provider’s console.`,
  });
export const messagesGoTo = (host: string) => `messages to it go to ${host}`;
export const messagesGoElsewhere = 'messages to it go to another application';
export const numberCount = (count: number) =>
  plural(count, { one: `${formatCount(count)} number`, other: `${formatCount(count)} numbers` });

// import-result.tsx
export const imported = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} number was added.`,
    other: `${formatCount(count)} numbers were added.`,
  });
export const importedForBoth = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} number was added. Messages to it arrive here.`,
    other: `${formatCount(count)} numbers were added. Messages to them arrive here.`,
  });
export const importedWithoutInbound = (numbers: string) =>
  `Messages do not arrive here yet: ${numbers}. Select Repair in the list of numbers.`;
export const notImported = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} number was not added:`,
    other: `${formatCount(count)} numbers were not added:`,
  });
