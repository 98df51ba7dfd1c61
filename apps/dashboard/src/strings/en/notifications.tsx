import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// describe-news.ts
export const colleagueMentionedYou = 'A colleague mentioned you';
export const conversationWasAssignedToYou = 'A conversation was assigned to you';
export const mentionedYou = (who: string) => `${who} mentioned you`;

/** `others` are mentions and assignments. */
export const severalItems = ({ messages, others }: { messages: number; others: number }) =>
  [
    messages > 0 &&
      plural(messages, {
        one: `${formatCount(messages)} new message`,
        other: `${formatCount(messages)} new messages`,
      }),
    others > 0 &&
      plural(others, {
        one: `${formatCount(others)} mention or assignment`,
        other: `${formatCount(others)} mentions or assignments`,
      }),
  ]
    .filter((part) => part !== false)
    .join(', ');
