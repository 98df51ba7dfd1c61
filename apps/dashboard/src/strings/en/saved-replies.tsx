import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// saved-reply-settings.tsx
export const savedRepliesAbout =
  'Replies that you send often. In a conversation, type / in an empty reply to insert one.';
export const newSavedReply = 'New saved reply';
export const savedReplyCount = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} saved reply`,
    other: `${formatCount(count)} saved replies`,
  });
export const noSavedReplies = 'No saved replies';
export const noSavedRepliesHint = 'Save the replies that you send often.';
export const edit = (name: string) => `Edit ${name}`;
export const deleteNamed = (name: string) => `Delete ${name}`;
export const deleteQuestion = (name: string) => `Delete “${name}”?`;
export const deleteExplained = 'Members can no longer insert this reply.';
export const savedReply = 'Saved reply';
export const name = 'Name';
export const text = 'Text';
