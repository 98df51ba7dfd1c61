import {
  type NumberHome,
  type ProviderAccount,
  type ProviderAdapter,
  SECRET_FIELD,
  modeOf,
} from '@switchboard/core';
import type { ProviderRegistry } from './provider-registry.ts';

/** The type of the only account that a test workspace has. */
export const TEST_TYPE = 'sandbox';
const NO_ACCOUNT = { secret: '', senderPool: null } as const;

/** A workspace's provider configuration as it is stored. */
export interface SealedProvider {
  id: string;
  type: string;
  vendorAccountId: string;
  sealedSecret: string;
  senderPool: string | null;
  home?: NumberHome;
}

export type ResolvedAccount =
  | {
      kind: 'resolved';
      providerId: string;
      adapter: ProviderAdapter;
      account: ProviderAccount;
    }
  /** `detail` is a sentence for the workspace owner. */
  | {
      kind: 'unusable';
      reason: 'not_configured' | 'unknown_type' | 'undecryptable';
      detail: string;
      cause?: unknown;
    };

/**
 * Finds the adapter of a configured provider and decrypts the account's credentials. Never throws.
 */
export type ResolveProviderAccount = (
  workspaceId: string,
  provider: SealedProvider | null,
) => ResolvedAccount;

export function createResolveProviderAccount(dependencies: {
  registry: Pick<ProviderRegistry, 'get'>;
  secretBox: { open(sealed: string, owner: { workspaceId: string; field: string }): string };
}): ResolveProviderAccount {
  const { registry, secretBox } = dependencies;

  return function resolveProviderAccount(workspaceId, provider) {
    if (provider === null) {
      const detail = 'The workspace no longer has the provider account';
      return { kind: 'unusable', reason: 'not_configured', detail };
    }
    const { id: providerId, type, vendorAccountId: id, sealedSecret, senderPool, home } = provider;
    // The one place where an account becomes an adapter: in test mode, no vendor is ever called.
    const isTest = modeOf(workspaceId) === 'test';
    const adapter = registry.get(isTest ? TEST_TYPE : type);
    if (adapter === null) {
      const detail = `This version has no adapter for the provider ${type}`;
      return { kind: 'unusable', reason: 'unknown_type', detail };
    }
    if (isTest) {
      return {
        kind: 'resolved',
        providerId,
        adapter,
        account: { ...NO_ACCOUNT, vendorAccountId: id },
      };
    }
    try {
      const secret = secretBox.open(sealedSecret, { workspaceId, field: SECRET_FIELD });
      return {
        kind: 'resolved',
        providerId,
        adapter,
        account: { vendorAccountId: id, secret, senderPool, ...(home !== undefined && { home }) },
      };
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const detail = `The provider’s credentials can’t be decrypted: ${why}`;
      return { kind: 'unusable', reason: 'undecryptable', detail, cause };
    }
  };
}
