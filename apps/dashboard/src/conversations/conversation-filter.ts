import type { Conversation } from '@switchboard/contracts';

/** Which conversations the list shows. */
export interface ConversationFilter {
  assignee: 'all' | 'me' | 'none';
  state: 'open' | 'closed' | 'all';
  search: string;
}

export const DEFAULT_FILTER: ConversationFilter = { assignee: 'all', state: 'open', search: '' };

export const isDefault = (filter: ConversationFilter): boolean =>
  JSON.stringify(filter) === JSON.stringify(DEFAULT_FILTER);

export function toQuery({ assignee, state, search }: ConversationFilter) {
  return {
    ...(assignee !== 'all' && { assignee }),
    ...(state !== 'all' && { state }),
    ...(search.trim() !== '' && { search: search.trim() }),
  };
}

/** Returns whether a listed conversation still matches after a change. */
export function isListed(
  conversation: Conversation,
  { assignee, state }: ConversationFilter,
  ownId: string | undefined,
): boolean {
  if (state !== 'all' && conversation.state !== state) return false;
  if (assignee === 'none') return conversation.assignee === null;
  return assignee === 'all' || conversation.assignee?.id === ownId;
}

/** Returns whether the list includes a new conversation, or one that a received message reopens. */
export const listsEveryReceived = ({ assignee, state, search }: ConversationFilter): boolean =>
  assignee === 'all' && state !== 'closed' && search.trim() === '';
