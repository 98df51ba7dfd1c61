import { useSyncExternalStore } from 'react';
import { useDependencies } from '../api/api-context.tsx';

export interface ReplyDraft {
  body: string;
  write(body: string): void;
  /** Puts a text that failed to send back, before the text typed since. */
  restore(body: string): void;
}

/** The draft of a reply. It is kept while the user visits other threads. */
export function useReplyDraft(workspaceId: string, number: string): ReplyDraft {
  const { drafts } = useDependencies();
  const name = `reply ${workspaceId} ${number}`;
  const read = (): string => (drafts.read(name) as string | null) ?? '';
  const write = (body: string): void => drafts.write(name, body === '' ? null : body);
  return {
    body: useSyncExternalStore(drafts.subscribe, read),
    write,
    restore(body) {
      const since = read();
      write(since === '' ? body : `${body}\n${since}`);
    },
  };
}
