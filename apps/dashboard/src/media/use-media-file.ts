import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import type { MediaSource } from './attachment.ts';

/** How long a file stays in memory after it was last shown. */
const KEPT_MS = 5 * 60_000;

/** Downloads a file as soon as `isWanted` is true. Files never change, so each is downloaded once. */
export function useMediaFile(workspaceId: string, source: MediaSource, isWanted = true) {
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: queryKeys.media(workspaceId, source),
    queryFn: ({ signal }) =>
      'mediaId' in source
        ? api.download(
            'GET /api/ui/workspaces/{workspaceId}/media/{mediaId}/content',
            { params: { workspaceId, mediaId: source.mediaId } },
            { signal },
          )
        : api.download(
            'GET /api/ui/workspaces/{workspaceId}/messages/{messageId}/media/{index}',
            { params: { workspaceId, ...source } },
            { signal },
          ),
    enabled: isWanted,
    staleTime: Infinity,
    gcTime: KEPT_MS,
  });
  const [shown, setShown] = useState<{ file: Blob; url: string } | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const url = URL.createObjectURL(data);
    setShown({ file: data, url });
    return () => {
      setShown(null);
      URL.revokeObjectURL(url);
    };
  }, [data]);
  return {
    file: data ?? null,
    url: shown !== null && shown.file === data ? shown.url : null,
    error,
  };
}
