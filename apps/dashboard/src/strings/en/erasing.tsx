import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// erase-person.tsx
export const erasePerson = 'Erase person…';
export const erase = 'Erase';
export const eraseQuestion = (number: string) => `Erase ${number}?`;
export const whatIsErased =
  'The texts, the media and the number are removed from messages, events, notes, contacts, the audit trail and the search. So are the other numbers of the contact. Messages that were not sent yet are canceled. This can’t be undone.';
export const whatStays =
  'The status, the times and the sender of each message stay, with “erased” in place of the number, and so do the statistics. An opt-out of this person still holds.';
export const typeTheNumber = (number: string) => `Type ${number} to confirm`;
export const states = {
  erasing: 'Erasing…',
  redacting: 'Erased here. Copies at the provider are being removed…',
  finished: 'Erased.',
};
export const mayClose = 'You may close this. It continues in the background.';
export const erasedMessages = ({ done, total }: { done: number; total: number }) =>
  plural(total, {
    one: `${formatCount(done)} of ${formatCount(total)} message erased`,
    other: `${formatCount(done)} of ${formatCount(total)} messages erased`,
  });
const messages = (count: number) =>
  plural(count, { one: `${formatCount(count)} message`, other: `${formatCount(count)} messages` });
export const canceledMessages = (count: number) => `${messages(count)} canceled before sending`;
export const waitingMessages = (count: number) =>
  `${messages(count)} in flight: erased when the outcome is known`;
export const removedCopies = (count: number) => `${messages(count)} removed at the provider`;
export const pendingCopies = (count: number) => `${messages(count)} still at the provider`;
export const failedCopies = (count: number) =>
  `${messages(count)} that the provider did not remove: ask the provider`;
export const keptCopies = (count: number) =>
  `${messages(count)} that the provider can’t remove on request: ask the provider`;

// message-panel.tsx
export const messageErased =
  'The person was erased: the text, the media and the number of this message were removed.';
