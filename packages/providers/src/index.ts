export {
  createProviderRegistry,
  type ProviderRegistry,
  type ProviderRegistryOptions,
  readApiUrls,
} from './provider-registry.ts';
export {
  createResolveProviderAccount,
  type ResolveProviderAccount,
  type ResolvedAccount,
  type SealedProvider,
} from './resolve-provider-account.ts';
