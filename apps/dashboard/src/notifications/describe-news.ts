import { plural } from '../ui/format.ts';

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
  message: 'New message',
  mention: 'A colleague mentioned you',
  assignment: 'A conversation was assigned to you',
};

/** Writes a notification about all of the news since the last one. */
export function describeNews(news: readonly News[], isContentHidden: boolean): NotificationText {
  const [first] = news;
  if (first === undefined) throw new RangeError('A notification needs news.');
  if (news.length > 1) {
    const messages = news.filter(({ kind }) => kind === 'message').length;
    const others = news.length - messages;
    const parts = [
      ...(messages > 0 ? [plural(messages, 'new message')] : []),
      ...(others > 0 ? [plural(others, 'mention or assignment', 'mentions or assignments')] : []),
    ];
    return { title: 'Switchboard', body: parts.join(', ') };
  }
  const { kind, who, text } = first;
  if (isContentHidden) return { title: 'Switchboard', body: HIDDEN[kind] };
  const body = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  if (kind === 'message') return { title: who, body: body === '' ? 'Media' : body };
  if (kind === 'mention') return { title: `${who} mentioned you`, body };
  return { title: HIDDEN.assignment, body: who };
}
