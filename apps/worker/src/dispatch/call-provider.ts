import type { SendOutcome } from '@switchboard/core';
import type { ClaimedMessage } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { OpenAccount } from '../open-account.ts';

export interface CallProviderDependencies {
  providers: Pick<ProviderRegistry, 'get'>;
  openAccount: OpenAccount;
  publicUrl: string;
}

/** Makes the provider call of a claimed message. Never throws: whatever happens is an outcome. */
export function createCallProvider(deps: CallProviderDependencies) {
  return async function callProvider(
    message: ClaimedMessage,
    mayWrite: () => boolean,
  ): Promise<SendOutcome> {
    const opened = deps.openAccount(message.workspaceId, message.provider);
    if (opened.account === null) return unusable(opened.detail);
    const adapter = deps.providers.get(opened.type);
    if (adapter === null) return unusable(`There is no adapter for the provider ${opened.type}`);

    const { account } = opened;
    const outcome = await adapter.send(
      account,
      {
        messageId: message.id,
        attempt: message.attempt,
        to: message.to,
        from: message.from,
        body: message.body,
        mediaUrls: message.media.map((item) => item.url),
        statusCallbackUrl: statusCallbackUrl(deps.publicUrl, message),
      },
      mayWrite,
    );
    if (outcome.kind !== 'accepted') return outcome;
    // Identifiers are unique within the account that was used, whatever the answer calls it.
    return { kind: 'accepted', message: { ...outcome.message, accountSid: account.accountSid } };
  };
}

function statusCallbackUrl(publicUrl: string, message: ClaimedMessage): string {
  const { workspaceId, id, attempt } = message;
  return `${publicUrl}/api/webhooks/twilio/${workspaceId}/status?message=${id}&attempt=${attempt}`;
}

function unusable(detail: string): SendOutcome {
  return { kind: 'not_sent', reason: 'credentials', retryAfterMs: null, code: null, detail };
}
