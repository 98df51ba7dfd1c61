import { useSyncExternalStore } from 'react';
import { useConnections } from '../api/api-context.tsx';

export interface ReplyDraft {
  body: string;
  write(body: string): void;
  /** Puts back what could not be sent, before what has been written since. */
  restore(body: string): void;
}

/** A reply that is being written; it is still there after a visit to another thread. */
export function useReplyDraft(workspaceId: string, number: string): ReplyDraft {
  const { drafts } = useConnections();
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
