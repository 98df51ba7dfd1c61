import { type CallOutcome, readMediaReference } from '@switchboard/core';
import type { ClaimedMessage } from '@switchboard/database';
import type { MediaLinks } from '@switchboard/media';
import type { ResolveProviderAccount } from '@switchboard/providers';
import type { SessionCalls, SessionDirectory } from '../provider-sessions.ts';

export interface CallProviderDependencies {
  resolveProviderAccount: ResolveProviderAccount;
  publicUrl: string;
  mediaLinks: Pick<MediaLinks, 'sign'>;
  directory: Pick<SessionDirectory, 'hasEnded'>;
  calls: Pick<SessionCalls, 'run'>;
}

/** Makes the provider call of a claimed message. Never throws: every failure is an outcome. */
export function createCallProvider(dependencies: CallProviderDependencies) {
  return async function callProvider(
    message: ClaimedMessage,
    mayWrite: () => boolean,
  ): Promise<CallOutcome> {
    const { id: messageId, workspaceId, attempt, provider } = message;
    const resolved = dependencies.resolveProviderAccount(workspaceId, provider);
    if (resolved.kind === 'unusable') return unusable(resolved.detail);
    const { adapter, account, providerId } = resolved;
    const call = () =>
      adapter.send(
        account,
        {
          messageId,
          attempt,
          to: message.to,
          from: message.from,
          body: message.body,
          // Signed for each attempt, because a message may wait for weeks.
          mediaUrls: message.media.map((item) => toPublicUrl(item, dependencies.mediaLinks)),
          statusUrl:
            adapter.webhooks?.toStatusUrl(dependencies.publicUrl, {
              workspaceId,
              providerId,
              messageId,
              attempt,
            }) ?? '',
        },
        mayWrite,
      );
    const outcome = await dependencies.calls.run(providerId, call);
    const isUnreachable = outcome.kind === 'not_sent' && outcome.reason === 'unreachable';
    if (isUnreachable && dependencies.directory.hasEnded({ id: providerId, type: adapter.type })) {
      // This process closed the session, so the outcome is no evidence about the provider.
      return { ...outcome, reason: 'lease_expired' };
    }
    if (outcome.kind !== 'accepted') return outcome;
    // Identifiers are unique within the account that was used, whatever account the response names.
    return {
      kind: 'accepted',
      message: { ...outcome.message, providerId, vendorAccountId: account.vendorAccountId },
    };
  };
}

/** Returns the address from which the provider can fetch media. */
function toPublicUrl(
  { url, content_type: contentType }: ClaimedMessage['media'][number],
  links: Pick<MediaLinks, 'sign'>,
): string {
  const mediaId = readMediaReference(url);
  return mediaId === null ? url : links.sign(mediaId, contentType, Date.now());
}

function unusable(detail: string): CallOutcome {
  return { kind: 'not_sent', reason: 'credentials', retryAfterMs: null, code: null, detail };
}
