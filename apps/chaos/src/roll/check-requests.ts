import type { StoredMessage } from '../oracle/read-database.ts';
import type { Violation } from '../oracle/violation.ts';
import type { SteadyRecord } from './send-steadily.ts';

/**
 * Checks that clients are not affected while processes are replaced: every request succeeds. Each
 * message is requested once, so a row without a response to a client means a repeated request.
 */
export function checkRequests(
  sent: Pick<SteadyRecord, 'accepted' | 'failures'>,
  messages: readonly Pick<StoredMessage, 'id' | 'body'>[],
): Violation[] {
  const rows = new Set(messages.map(({ id }) => id));
  return [
    ...sent.failures.map(({ what, atMs, how }): Violation => ({
      check: 'answer',
      detail: `${what} failed ${(atMs / 1_000).toFixed(1)} s after the first: ${how}`,
      messageIds: [],
    })),
    ...[...sent.accepted.keys()]
      .filter((id) => !rows.has(id))
      .map((id): Violation => ({
        check: 'lost',
        detail: `${id} was accepted and has no row`,
        messageIds: [id],
      })),
    ...messages
      .filter(({ id }) => !sent.accepted.has(id))
      .map(({ id, body }): Violation => ({
        check: 'answer',
        detail: `${id} has a row ("${body}"), and no client received its id`,
        messageIds: [id],
      })),
  ];
}
