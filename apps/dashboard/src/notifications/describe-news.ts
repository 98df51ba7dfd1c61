import * as names from '#strings/names';
import * as strings from '#strings/notifications';

/** Something that the user may be notified of. */
export interface News {
  kind: 'message' | 'mention' | 'assignment';
  /** The conversation. */
  number: string;
  /** Who wrote or assigned it. */
  who: string;
  text: string;
}

export interface NotificationText {
  title: string;
  body: string;
}

const MAX_CHARACTERS = 140;

const HIDDEN: Readonly<Record<News['kind'], string>> = {
  message: names.newMessage,
  mention: strings.colleagueMentionedYou,
  assignment: strings.conversationWasAssignedToYou,
};

/** Writes a notification about all of the news since the last one. */
export function describeNews(news: readonly News[], isContentHidden: boolean): NotificationText {
  const [first] = news;
  if (first === undefined) throw new RangeError('A notification needs news.');
  if (news.length > 1) {
    const messages = news.filter(({ kind }) => kind === 'message').length;
    const others = news.length - messages;
    return { title: names.product, body: strings.severalNews({ messages, others }) };
  }
  const { kind, who, text } = first;
  if (isContentHidden) return { title: names.product, body: HIDDEN[kind] };
  const body = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  if (kind === 'message') return { title: who, body: body === '' ? names.media : body };
  if (kind === 'mention') return { title: strings.mentionedYou(who), body };
  return { title: HIDDEN.assignment, body: who };
}
