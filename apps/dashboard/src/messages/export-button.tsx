import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/messages';
import { useApi } from '../api/api-context.tsx';
import { Button } from '../ui/button.tsx';
import { downloadFile } from '../ui/download-file.ts';
import { formatBytes } from '../ui/format.ts';
import { Download, X } from '../ui/icons.ts';
import { FailureNotice } from '../ui/notice.tsx';
import { type MessageFilters, toFilterQuery } from './message-filters.ts';

/** Downloads all messages that match the filters as CSV. A second click stops the download. */
export function ExportButton(props: { workspaceId: string; filters: MessageFilters }) {
  const { workspaceId, filters } = props;
  const api = useApi();
  const [bytes, setBytes] = useState(0);
  const running = useRef<AbortController>(null);
  const download = useMutation({
    mutationFn: async () => {
      const stop = new AbortController();
      running.current = stop;
      setBytes(0);
      try {
        return await api.download(
          'GET /api/ui/workspaces/{workspaceId}/messages/export.csv',
          { params: { workspaceId }, query: { ...toFilterQuery(filters), numbers: 'spaced' } },
          { signal: stop.signal, onProgress: setBytes },
        );
      } catch (error) {
        if (stop.signal.aborted) return null;
        throw error;
      }
    },
    onSuccess: (file) => {
      if (file !== null) downloadFile(file, 'messages.csv');
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  return (
    <>
      <Button
        size="small"
        onClick={() => (download.isPending ? running.current?.abort() : download.mutate())}
      >
        {download.isPending ? (
          <>
            <X size={14} aria-hidden />
            {strings.stop(<span className="text-faint tabular-nums">{formatBytes(bytes)}</span>)}
          </>
        ) : (
          <>
            <Download size={14} aria-hidden />
            <span className="max-sm:sr-only">{actions.exportFile}</span>
          </>
        )}
      </Button>
      <div className="empty:hidden">
        <FailureNotice error={download.error} />
      </div>
    </>
  );
}
