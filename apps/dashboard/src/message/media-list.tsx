import type { Message } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { downloadFile } from '../ui/download-file.ts';
import { Paperclip } from '../ui/icons.ts';
import { FailureNotice } from '../ui/notice.tsx';

const ROW =
  'flex w-full items-center gap-2 rounded-lg border border-line px-3 py-2 text-left hover:bg-sunken';

/**
 * Lists attachments without loading them. Sent media is public. Received media is stored by the
 * provider, and the server fetches it when the user opens it.
 */
export function MediaList({ workspaceId, message }: { workspaceId: string; message: Message }) {
  const { media } = message;
  if (media.length === 0) return null;
  return (
    <ul className="mt-2 space-y-1">
      {media.map(({ url, content_type }, index) => (
        <li key={url}>
          {message.direction === 'inbound' ? (
            <ReceivedMedia
              params={{ workspaceId, messageId: message.id, index }}
              name={`Attachment ${index + 1}`}
              contentType={content_type}
            />
          ) : (
            <a href={url} target="_blank" rel="noreferrer noopener" className={ROW}>
              <Label name={nameOf(url)} about={content_type ?? hostOf(url)} />
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function ReceivedMedia(props: {
  params: { workspaceId: string; messageId: string; index: number };
  name: string;
  contentType: string | null;
}) {
  const { params, name, contentType } = props;
  const api = useApi();
  const [picture, setPicture] = useState<string | null>(null);
  useEffect(() => () => (picture === null ? undefined : URL.revokeObjectURL(picture)), [picture]);
  const open = useMutation({
    mutationFn: () =>
      api.download('GET /api/ui/workspaces/{workspaceId}/messages/{messageId}/media/{index}', {
        params,
      }),
    onSuccess: (blob) => {
      // SVG documents can contain scripts, so they are downloaded instead of shown.
      if (blob.type.startsWith('image/') && blob.type !== 'image/svg+xml') {
        setPicture(URL.createObjectURL(blob));
      } else {
        downloadFile(blob, name);
      }
    },
  });
  if (picture !== null) {
    return <img src={picture} alt={name} className="max-h-96 rounded-lg border border-line" />;
  }
  return (
    <>
      <button type="button" className={ROW} disabled={open.isPending} onClick={() => open.mutate()}>
        <Label name={name} about={open.isPending ? 'Loading…' : (contentType ?? 'Show')} />
      </button>
      <FailureNotice error={open.error} />
    </>
  );
}

function Label({ name, about }: { name: string; about: string }) {
  return (
    <>
      <Paperclip size={15} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="shrink-0 text-xs text-faint">{about}</span>
    </>
  );
}

function nameOf(url: string): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : '';
  return last === '' || last === undefined ? url : last;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
