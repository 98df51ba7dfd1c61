import * as names from '#strings/names';
import * as strings from '#strings/notifications';

/** An event of which the user may be notified. */
export interface NewsItem {
  kind: 'message' | 'mention' | 'assignment';
  /** The conversation. */
  number: string;
  /** The name of the person who wrote the message or note, or of the contact of an assigned conversation. */
  who: string;
  text: string;
}

export interface NotificationText {
  title: string;
  body: string;
}

const MAX_CHARACTERS = 140;

const HIDDEN: Readonly<Record<NewsItem['kind'], string>> = {
  message: names.newMessage,
  mention: strings.colleagueMentionedYou,
  assignment: strings.conversationWasAssignedToYou,
};

/** Describes everything that happened since the last notification in one notification. */
export function describeNews(
  news: readonly NewsItem[],
  isContentHidden: boolean,
): NotificationText {
  const [first] = news;
  if (first === undefined) throw new RangeError('A notification needs at least one item.');
  if (news.length > 1) {
    const messages = news.filter(({ kind }) => kind === 'message').length;
    const others = news.length - messages;
    return { title: names.product, body: strings.severalItems({ messages, others }) };
  }
  const { kind, who, text } = first;
  if (isContentHidden) return { title: names.product, body: HIDDEN[kind] };
  const body = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  if (kind === 'message') return { title: who, body: body === '' ? names.media : body };
  if (kind === 'mention') return { title: strings.mentionedYou(who), body };
  return { title: HIDDEN.assignment, body: who };
}
