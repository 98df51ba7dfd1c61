import type { Keyword } from '../keywords/find-keyword.ts';

/** The replies to keywords in a workspace that has not set its own. */
export const DEFAULT_KEYWORD_REPLIES: Readonly<Record<Keyword, string>> = {
  opt_out:
    'You are unsubscribed and will get no more messages from us. Reply START to resubscribe.',
  opt_in: 'You are subscribed again. Reply HELP for help or STOP to unsubscribe.',
  help: 'Reply STOP to unsubscribe or START to resubscribe. Message and data rates may apply.',
};
