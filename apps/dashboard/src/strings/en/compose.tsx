import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// compose-dialog.tsx
export const changeScheduledMessage = 'Change scheduled message';
export const newTestMessage = 'New test message';
export const noProviderYet = 'You can’t send messages yet, because this workspace has no provider.';
export const from = 'From';
export const message = 'Message';
export const dropFilesToAttachThem = 'Drop the files to attach them.';
export const attachFiles = 'Attach files';
export const canceledAndNotReplaced =
  'The scheduled message is canceled, but its replacement has not been sent. Try again.';
export const discard = 'Discard';
export const discardChanges = 'Discard changes';
export const schedule = 'Schedule';
export const send = 'Send';
export const sendNow = 'Send now';
export const defaultSender = 'Default sender';
export const defaultNumber = (number: string) => `Default: ${number}`;

// media-field.tsx
export const mediaUrl = (position: number) => `Media URL ${formatCount(position)}`;
export const mediaUrlExample = 'https://example.com/picture.jpg';
export const removeMediaUrl = (position: number) => `Remove media URL ${formatCount(position)}`;
export const attachByUrl = 'Attach by URL';
export const attachAnotherUrl = 'Attach another URL';

// recipient-field.tsx
export const to = 'To';

// schedule-field.tsx
export const sendLater = 'Send later';
export const sendAt = 'Send at';
export const sendAtHint = 'At most 35 days ahead.';
export const sendNowInstead = 'Send now instead';

// segment-use.tsx
export const segments = (count: number) =>
  plural(count, { one: `${formatCount(count)} segment`, other: `${formatCount(count)} segments` });
export const leftInSegment = (count: number) => `${formatCount(count)} left in this segment`;
export const reducingCharacters = ({ characters, more }: CostlyCharacters) => (
  <>
    These characters reduce each segment from 160 to 70 characters: {characters}
    {andMore(more)}
  </>
);
export const doubleCharacters = ({ characters, more }: CostlyCharacters) => (
  <>
    These characters count twice: {characters}
    {andMore(more)}
  </>
);

export const usePlainCharacters = (saved: number) =>
  plural(saved, {
    one: `Use plain characters and save ${formatCount(saved)} segment`,
    other: `Use plain characters and save ${formatCount(saved)} segments`,
  });
export const sentWithPlainCharacters = ({ pairs, more, saved }: PlainCharacters) => (
  <>
    Sent with plain characters: {pairs}
    {andMore(more)}
    {saved > 0 &&
      plural(saved, {
        one: ` This saves ${formatCount(saved)} segment.`,
        other: ` This saves ${formatCount(saved)} segments.`,
      })}
  </>
);

interface PlainCharacters {
  pairs: ReactNode;
  /** How many pairs are not shown. */
  more: number;
  saved: number;
}

interface CostlyCharacters {
  characters: ReactNode;
  /** How many characters are not shown. */
  more: number;
}

const andMore = (count: number) => (count === 0 ? null : `and ${formatCount(count)} more`);
