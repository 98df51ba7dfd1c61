import { useCallback, useEffect, useRef, useState } from 'react';
import { useInboxFrame, useLiveFeed } from '../live/live-context.tsx';

/** While the user types, the client reports it to the server this often. */
const REPEAT_MS = 3_000;

interface Colleague {
  name: string;
  expiry: ReturnType<typeof setTimeout>;
}

/**
 * Reports to colleagues with the same conversation open that the user is typing a reply, and
 * returns the names of colleagues who are typing.
 */
export function useTyping(number: string): {
  names: readonly string[];
  report(isTyping: boolean): void;
} {
  const feed = useLiveFeed();
  const reportedAt = useRef<number | null>(null);
  const colleagues = useRef(new Map<string, Colleague>());
  const [names, setNames] = useState<readonly string[]>([]);

  useEffect(() => {
    const present = colleagues.current;
    feed.setViewing({ number, typing: false });
    return () => {
      feed.setViewing({ number: null, typing: false });
      for (const { expiry } of present.values()) clearTimeout(expiry);
      present.clear();
    };
  }, [feed, number]);

  useInboxFrame((frame) => {
    if (frame.type !== 'conversation.typing' || frame.number !== number) return;
    const { id, name } = frame.user;
    const present = colleagues.current;
    const show = (): void => setNames([...present.values()].map((colleague) => colleague.name));
    clearTimeout(present.get(id)?.expiry);
    const remove = (): void => {
      present.delete(id);
      show();
    };
    if (frame.expires_in_seconds === 0) {
      remove();
      return;
    }
    present.set(id, { name, expiry: setTimeout(remove, frame.expires_in_seconds * 1_000) });
    show();
  });

  const report = useCallback(
    (isTyping: boolean): void => {
      const last = reportedAt.current;
      if (isTyping && last !== null && performance.now() - last < REPEAT_MS) return;
      if (!isTyping && last === null) return;
      reportedAt.current = isTyping ? performance.now() : null;
      feed.setViewing({ number, typing: isTyping });
    },
    [feed, number],
  );
  return { names, report };
}
