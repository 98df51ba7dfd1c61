/** The workspace's account at its provider, with the opened secret. Never logged. */
export interface ProviderAccount {
  /** The provider's id of the account. */
  id: string;
  /** The opened credentials, in the adapter's own format. */
  secret: string;
  /** The provider's pool that selects a sender if a message has none. */
  senderPool: string | null;
}
