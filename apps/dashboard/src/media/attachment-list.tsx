import { readMediaReference } from '@switchboard/contracts';
import * as strings from '#strings/media';
import { Button } from '../ui/button.tsx';
import { formatBytes, isolate } from '../ui/format.ts';
import { X } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import { type Attachment, kindOfMedia } from './attachment.ts';
import { Thumbnail } from './thumbnail.tsx';
import type { Attachments } from './use-attachments.ts';

/** Shows the attachments of a message that is being written, and the uploads with their progress. */
export function AttachmentList(props: { workspaceId: string; attachments: Attachments }) {
  const { workspaceId, attachments } = props;
  const { list, uploads, problems, remove } = attachments;
  return (
    <>
      {problems.length > 0 && (
        <Notice tone="bad">
          {problems.map((problem) => (
            <p key={problem}>{isolate(problem)}</p>
          ))}
        </Notice>
      )}
      {list.length + uploads.length > 0 && (
        <ul
          aria-label={strings.attachments}
          className="flex max-h-44 flex-wrap gap-2 overflow-y-auto py-1"
        >
          {list.map((attachment) => (
            <li key={attachment.url} className={ITEM}>
              <span className="size-10 shrink-0 overflow-hidden rounded-md">
                <AttachedThumbnail workspaceId={workspaceId} attachment={attachment} />
              </span>
              <span className="min-w-0 flex-1">
                <bdi className="block truncate">{nameOf(attachment)}</bdi>
                <span className="block text-xs text-faint">
                  {[
                    kindOfMedia(attachment.contentType),
                    ...(attachment.size === null ? [] : [formatBytes(attachment.size)]),
                  ].join(' · ')}
                </span>
              </span>
              <Button
                kind="quiet"
                size="icon"
                aria-label={strings.remove(isolate(nameOf(attachment)))}
                onClick={() => remove(attachment.url)}
              >
                <X size={16} aria-hidden />
              </Button>
            </li>
          ))}
          {uploads.map(({ id, name, part, cancel }) => (
            <li key={id} className={ITEM}>
              <span className="min-w-0 flex-1 pl-1">
                <bdi className="block truncate">{name}</bdi>
                <progress
                  aria-label={strings.uploading(isolate(name))}
                  value={part}
                  className="block h-1.5 w-full accent-accent"
                />
              </span>
              <Button
                kind="quiet"
                size="icon"
                aria-label={strings.cancelUploadOf(isolate(name))}
                onClick={cancel}
              >
                <X size={16} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <span role="status" className="sr-only">
        {uploads.length > 0 && strings.uploadingFiles(uploads.length)}
      </span>
    </>
  );
}

const ITEM =
  'flex w-60 max-w-full items-center gap-2 rounded-lg border border-line bg-surface py-1 pr-0.5 pl-1 text-[0.8125rem]';

function AttachedThumbnail(props: { workspaceId: string; attachment: Attachment }) {
  const { workspaceId, attachment } = props;
  const mediaId = readMediaReference(attachment.url) ?? '';
  const { contentType } = attachment;
  return (
    <Thumbnail workspaceId={workspaceId} source={{ mediaId }} contentType={contentType} alt="" />
  );
}

/** A pasted picture may have no name. */
const nameOf = ({ name, contentType }: Attachment): string =>
  name === '' ? kindOfMedia(contentType) : name;
