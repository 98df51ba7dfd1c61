import { MEDIA_TYPES } from '@switchboard/contracts';
import { useEffect, useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/media';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { downloadFile } from '../ui/download-file.ts';
import { formatFullTime } from '../ui/format.ts';
import { ChevronLeft, ChevronRight, Download } from '../ui/icons.ts';
import { FailureNotice } from '../ui/notice.tsx';
import { readKey } from '../ui/read-key.ts';
import type { ReadableMedia } from './message-media.ts';
import { useMediaFile } from './use-media-file.ts';

/** Shows one file. The arrow keys and the buttons show the previous and the next file. */
export function MediaViewer(props: {
  workspaceId: string;
  items: readonly ReadableMedia[];
  /** The key of the first file that is shown. */
  first: string;
  onClose(): void;
}) {
  const { workspaceId, items, first, onClose } = props;
  const [shown, setShown] = useState(first);
  // New messages may add files while a file is shown.
  const at = Math.max(
    0,
    items.findIndex(({ key }) => key === shown),
  );
  const item = items[at];
  const before = items[at - 1]?.key;
  const after = items[at + 1]?.key;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // In audio and video, the arrow keys change the playback position.
      if (event.target instanceof HTMLMediaElement) return;
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const key = readKey(event);
      const next = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined;
      if (next !== undefined) setShown(next);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [before, after]);
  if (item === undefined) return null;
  const isReceived = item.message.direction === 'inbound';
  return (
    <Dialog title={item.name} wide onClose={onClose}>
      <p className="-mt-3 mb-3 text-[0.8125rem] text-soft">
        {(isReceived ? strings.receivedAt : strings.sentAt)(
          <time dateTime={item.message.created_at}>{formatFullTime(item.message.created_at)}</time>,
        )}
      </p>
      {/* The key resets the state of a file when another is shown. */}
      <ShownFile key={item.key} workspaceId={workspaceId} item={item} />
      {items.length > 1 && (
        <div className="mt-4 flex items-center justify-between gap-2">
          <StepButton step="previous" to={before} onStep={setShown} />
          <span aria-live="polite" className="text-[0.8125rem] text-soft tabular-nums">
            {strings.place({ position: at + 1, total: items.length })}
          </span>
          <StepButton step="next" to={after} onStep={setShown} />
        </div>
      )}
    </Dialog>
  );
}

function StepButton(props: {
  step: 'previous' | 'next';
  to: string | undefined;
  onStep(key: string): void;
}) {
  const { step, to, onStep } = props;
  return (
    <Button
      // A button loses the focus when it is disabled.
      aria-disabled={to === undefined}
      className="aria-disabled:opacity-50"
      onClick={() => to !== undefined && onStep(to)}
    >
      {step === 'previous' && <ChevronLeft size={16} aria-hidden />}
      <span>{step === 'previous' ? actions.previous : actions.next}</span>
      {step === 'next' && <ChevronRight size={16} aria-hidden />}
    </Button>
  );
}

function ShownFile({ workspaceId, item }: { workspaceId: string; item: ReadableMedia }) {
  const { file, url, error } = useMediaFile(workspaceId, item.source);
  const [isBroken, setBroken] = useState(false);
  const onError = (): void => setBroken(true);
  if (error !== null) return <FailureNotice error={error} />;
  if (file === null || url === null) {
    return <div aria-busy="true" className="h-64 animate-pulse rounded-lg bg-sunken" />;
  }
  const kind = isBroken ? 'other' : file.type.split('/')[0];
  return (
    <>
      <div className="grid place-items-center">
        {kind === 'image' ? (
          <img
            src={url}
            alt={(item.message.direction === 'inbound' ? strings.receivedFile : strings.sentFile)(
              item.name,
            )}
            className="max-h-[65dvh] max-w-full rounded-lg object-contain"
            onError={onError}
          />
        ) : kind === 'video' ? (
          <video
            src={url}
            controls
            aria-label={item.name}
            className="max-h-[65dvh] max-w-full rounded-lg"
            onError={onError}
          />
        ) : kind === 'audio' ? (
          <audio src={url} controls aria-label={item.name} className="w-full" onError={onError} />
        ) : (
          <p className="py-6 text-soft">{strings.fileNotShown}</p>
        )}
      </div>
      <p className="mt-3 text-center">
        <Button kind="quiet" size="small" onClick={() => downloadFile(file, fileNameOf(item))}>
          <Download size={14} aria-hidden />
          {strings.download}
        </Button>
      </p>
    </>
  );
}

/** The server does not report the name of a received file, only its type. */
function fileNameOf({ message, contentType, source }: ReadableMedia): string {
  const extension = MEDIA_TYPES[contentType ?? ''];
  const day = message.created_at.slice(0, 10);
  const number = 'index' in source ? `-${source.index + 1}` : '';
  return `${day}${number}${extension === undefined ? '' : `.${extension}`}`;
}
