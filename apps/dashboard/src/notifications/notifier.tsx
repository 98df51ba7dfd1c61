import type { InboxFrame, Message } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';
import { ICON_URL } from '../base-path.ts';
import { useContactDirectory } from '../contacts/contact-context.tsx';
import { useInboxFrame, useLiveBatch } from '../live/live-context.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { usePreference } from '../ui/preference.ts';
import { type NewsItem, describeNews } from './describe-news.ts';
import { type Candidacy, electTab } from './elect-tab.ts';
import { playSound } from './play-sound.ts';
import {
  desktopNotifications,
  isSupported,
  notificationContent,
  notificationSound,
} from './preferences.ts';

/** Events within this time share a notification. The names of contacts are looked up in the meantime. */
const GATHER_MS = 1_500;

/**
 * Notifies the user of new messages, mentions and assignments, as chosen for this browser. Renders
 * nothing.
 */
export function Notifier({ workspaceId }: { workspaceId: string }) {
  const isNotifying = usePreference(desktopNotifications) === 'on';
  const isSounding = usePreference(notificationSound) === 'on';
  const ownId = useQuery(meQuery(useApi())).data?.user.id;
  if (!isSupported() || ownId === undefined || !(isNotifying || isSounding)) return null;
  return <ActiveNotifier workspaceId={workspaceId} ownId={ownId} />;
}

function ActiveNotifier({ workspaceId, ownId }: { workspaceId: string; ownId: string }) {
  const navigate = useNavigate();
  const directory = useContactDirectory();
  const candidacy = useRef<Candidacy | null>(null);
  const waiting = useRef<NewsItem[]>([]);
  /** The notes that have mentioned the user since the page was loaded. */
  const mentionedIn = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const nameOf = (number: string): string => directory.read(number)?.name || formatPhone(number);

  const notify = useEffectEvent(async (): Promise<void> => {
    timer.current = undefined;
    const news = waiting.current
      .splice(0)
      .map((each) => (each.kind === 'mention' ? each : { ...each, who: nameOf(each.number) }));
    if (notificationSound.get() === 'on') playSound();
    if (desktopNotifications.get() !== 'on' || Notification.permission !== 'granted') return;
    if ((await candidacy.current?.isSeen()) !== false) return;
    show(news);
  });

  function show(news: readonly NewsItem[]): void {
    const { title, body } = describeNews(news, notificationContent.get() === 'hidden');
    // The same tag replaces an older notification of the workspace.
    const notification = new Notification(title, { body, tag: workspaceId, icon: ICON_URL });
    notification.addEventListener('click', () => {
      notification.close();
      window.focus();
      const [first] = news;
      if (news.length === 1 && first !== undefined) {
        const params = { workspaceId, number: first.number };
        void navigate({ to: '/w/$workspaceId/conversations/$number', params });
      } else {
        void navigate({ to: '/w/$workspaceId/conversations', params: { workspaceId } });
      }
    });
  }

  function add(news: readonly NewsItem[]): void {
    if (news.length === 0 || candidacy.current?.isElected() !== true) return;
    waiting.current.push(...news);
    // Requests the names of contacts that no view shows.
    for (const { number } of news) directory.watch(number, () => undefined)();
    timer.current ??= setTimeout(() => void notify(), GATHER_MS);
  }

  useEffect(() => {
    candidacy.current = electTab(`switchboard.notifications.${workspaceId}.${ownId}`);
    return () => {
      candidacy.current?.withdraw();
      clearTimeout(timer.current);
      timer.current = undefined;
      waiting.current = [];
    };
  }, [workspaceId, ownId]);

  useLiveBatch(({ created }) => add(created.flatMap(readMessage)));
  useInboxFrame((frame) => {
    const news = readFrame(frame, ownId);
    if ('note' in frame && news.length > 0) {
      // An edit may remove a mention, and a later one may restore it.
      if (mentionedIn.current.has(frame.note.id)) return;
      mentionedIn.current.add(frame.note.id);
    }
    add(news);
  });
  return null;
}

function readMessage({ direction, from, body }: Message): NewsItem[] {
  if (direction !== 'inbound' || from === null) return [];
  return [{ kind: 'message', number: from, who: '', text: body }];
}

function readFrame(frame: InboxFrame, ownId: string): NewsItem[] {
  if ('note' in frame) {
    const { number, author, mentions, body } = frame.note;
    // The frame has the current state: the note may no longer mention the user.
    const isMentioned = mentions.some(({ id }) => id === ownId);
    if (author?.id === ownId || !isMentioned || frame.newly_mentioned?.includes(ownId) !== true)
      return [];
    return [{ kind: 'mention', number, who: author?.name ?? names.formerMember, text: body }];
  }
  if (frame.type !== 'conversation.updated') return [];
  const { assigned_by: by, conversation } = frame;
  if (by === null || by === ownId || conversation.assignee?.id !== ownId) return [];
  return [{ kind: 'assignment', number: conversation.number, who: '', text: '' }];
}
