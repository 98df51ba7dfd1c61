import { useSyncExternalStore } from 'react';
import { useDependencies } from '../api/api-context.tsx';
import type { Attachment } from '../media/attachment.ts';
import { useAttachments } from '../media/use-attachments.ts';

const NONE: readonly Attachment[] = [];

/** Attachments that are kept while the user visits other threads, and across reloads. */
export function useAttachmentDraft(workspaceId: string, name: string) {
  const { drafts } = useDependencies();
  const read = () => (drafts.read(name) as readonly Attachment[] | null) ?? NONE;
  const write = (list: readonly Attachment[]) =>
    drafts.write(name, list.length === 0 ? null : list);
  const list = useSyncExternalStore(drafts.subscribe, read);
  const attachments = useAttachments(workspaceId, list, (update) => write(update(read())));
  return {
    ...attachments,
    clear: () => write(NONE),
    /** Restores the attachments of a message that failed to send. */
    restore(urls: readonly string[], sent: readonly Attachment[]) {
      const back = sent.filter(({ url }) => urls.includes(url));
      write([...back, ...read().filter(({ url }) => !urls.includes(url))]);
    },
  };
}
