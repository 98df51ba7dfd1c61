import type { MediaSource } from '../media/attachment.ts';
import type { MessageFilters } from '../messages/message-filters.ts';

/** The common prefix of a workspace's keys, which invalidates all its cached data. */
const workspace = (id: string) => ['workspace', id] as const;

export const queryKeys = {
  me: ['me'] as const,
  signUpState: ['sign-up'] as const,
  sessions: ['sessions'] as const,
  workspace,
  testWorkspace: (id: string) => ['test-workspace', id] as const,
  details: (id: string) => [...workspace(id), 'details'] as const,
  messages: (id: string) => [...workspace(id), 'messages'] as const,
  messagePage: (id: string, filters: MessageFilters) =>
    [...workspace(id), 'messages', filters] as const,
  anyMessage: (id: string) => [...workspace(id), 'any-message'] as const,
  message: (id: string, messageId: string) => [...workspace(id), 'message', messageId] as const,
  conversations: (id: string) => [...workspace(id), 'conversations'] as const,
  conversation: (id: string, number: string) => [...workspace(id), 'conversation', number] as const,
  notes: (id: string, number: string) => [...workspace(id), 'notes', number] as const,
  mentions: (id: string) => [...workspace(id), 'mentions'] as const,
  unread: (id: string) => [...workspace(id), 'unread'] as const,
  thread: (id: string, number: string) => [...workspace(id), 'thread', number] as const,
  media: (id: string, source: MediaSource) => [...workspace(id), 'media', source] as const,
  contacts: (id: string) => [...workspace(id), 'contacts'] as const,
  savedReplies: (id: string) => [...workspace(id), 'settings', 'saved-replies'] as const,
  stats: (id: string) => [...workspace(id), 'stats'] as const,
  /** Separate from the settings: a change of the settings must not call the provider again. */
  providerNumbers: (id: string, providerId: string) =>
    [...workspace(id), 'provider-numbers', providerId] as const,
  shares: (id: string, period: string) => [...workspace(id), 'shares', period] as const,
  settings: (id: string, what: string) => [...workspace(id), 'settings', what] as const,
};
