import { useSyncExternalStore } from 'react';
import { useDependencies } from '../api/api-context.tsx';

export interface TextDraft {
  body: string;
  /** Returns the text as it is now, which may be later than the last render. */
  read(): string;
  write(body: string): void;
  /** Restores a text that failed to send, before the text that was typed since. */
  restore(body: string): void;
}

/** A text that is kept while the user visits other threads, and after a reload. */
export function useTextDraft(name: string): TextDraft {
  const { drafts } = useDependencies();
  const read = (): string => (drafts.read(name) as string | null) ?? '';
  const write = (body: string): void => drafts.write(name, body === '' ? null : body);
  return {
    body: useSyncExternalStore(drafts.subscribe, read),
    read,
    write,
    restore(body) {
      const since = read();
      write(since === '' ? body : `${body}\n${since}`);
    },
  };
}
