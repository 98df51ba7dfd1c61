import type { BodyOf } from '@switchboard/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi, useDependencies } from '../api/api-context.tsx';
import { ApiError } from '../api/api-error.ts';
import { queryKeys } from '../api/query-keys.ts';
import { UNSENT } from '../ui/use-unsent-warning.ts';
import { UNANSWERED_PREFIX } from './draft-store.ts';
import { useLiveFeed } from '../live/live-context.tsx';

const ONE = 'GET /api/ui/workspaces/{workspaceId}/messages/{messageId}';
const SEND = 'POST /api/ui/workspaces/{workspaceId}/messages';

type SendMessageRequest = BodyOf<typeof SEND>;

/** Errors after which it is not known whether the message was stored. */
const MAY_BE_STORED: ReadonlySet<ApiError['code']> = new Set([
  'unreachable',
  'send_failed',
  'internal_error',
  'service_unavailable',
]);
/** Later, the same text is a new message. */
const RETRY_WITHIN_MS = 10 * 60_000;

/** A request whose response has not arrived: what was written, as JSON, the sender that was found, and the key. */
interface Unanswered {
  written: string;
  from?: string;
  key: string;
  /** Unix milliseconds. */
  at: number;
}

/**
 * Sends a message. A retry of the same request reuses its Idempotency-Key: if the response to the
 * first request was lost, the retry returns it, and no second message is sent. The key is kept with the drafts, because
 * the retry may follow a visit to another conversation, or a reload.
 */
export function useSendMessage(
  workspaceId: string,
  options: {
    /** Finds the sender of a request without one. A retry keeps the sender of the first request. */
    findSender?(): Promise<string | undefined>;
    /**
     * Called even after the component has been unmounted. Returns whether the user has the text again: if so, the same text
     * is a retry.
     */
    onError?(request: SendMessageRequest): boolean;
  } = {},
) {
  const api = useApi();
  const client = useQueryClient();
  const feed = useLiveFeed();
  const { drafts } = useDependencies();
  const draftName = ({ to }: SendMessageRequest): string =>
    `${UNANSWERED_PREFIX}${workspaceId}.${to}`;
  return useMutation({
    mutationKey: UNSENT,
    mutationFn: async (request: SendMessageRequest) => {
      const name = draftName(request);
      const last = drafts.read(name) as Unanswered | null;
      const written = JSON.stringify(request);
      if (last?.written !== written || Date.now() - last.at > RETRY_WITHIN_MS) {
        const from = await options.findSender?.();
        const sender = from === undefined ? {} : { from };
        drafts.write(name, { written, key: createKey(), at: Date.now(), ...sender });
      }
      const { from, key } = drafts.read(name) as Unanswered;
      return api.request(SEND, {
        params: { workspaceId },
        body: { ...request, ...(from !== undefined && { from }) },
        headers: { 'idempotency-key': key },
      });
    },
    onError: (error, request) => {
      // A refused request stored nothing, so that a retry is a new request.
      const isRefused = error instanceof ApiError && !MAY_BE_STORED.has(error.code);
      const isGivenBack = options.onError?.(request) ?? true;
      if (isRefused || !isGivenBack) drafts.write(draftName(request), null);
    },
    onSuccess: ({ id }, request) => {
      // After a success, the same text again is a new message.
      drafts.write(draftName(request), null);
      // Shown without its event, which a dead connection would not bring: a person who does not see a message that
      // was sent sends it again. If it can't be fetched either, its event brings it after the reconnect.
      client
        .query({
          queryKey: queryKeys.message(workspaceId, id),
          queryFn: () => api.request(ONE, { params: { workspaceId, messageId: id } }),
        })
        .then(feed.add, () => undefined);
    },
  });
}

/** Browsers offer `crypto.randomUUID` only over https and on localhost. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
