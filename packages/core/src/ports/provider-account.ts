/** The identifiers of an account of a workspace, by which webhooks name it. */
export interface AccountAddress {
  workspaceId: string;
  /** The account's id. */
  providerId: string;
}

/** Names one attempt of a message in the URL of its status callbacks. */
export interface AttemptAddress extends AccountAddress {
  messageId: string;
  attempt: number;
}

/** A workspace's account at a provider, with the opened secret. Never logged. */
export interface ProviderAccount {
  /** The vendor's identifier of the account. Only calls and webhooks use it. */
  vendorAccountId: string;
  /** The opened credentials, in the adapter's own format. */
  secret: string;
  /** The provider's pool that selects a sender if a message has none. */
  senderPool: string | null;
  /** How national numbers that the provider reports are read. Absent if that is unknown. */
  home?: NumberHome;
}

/** Where the national numbers of an account are dialed. */
export interface NumberHome {
  /** ISO 3166 alpha-2: the account's country or else the workspace's; null if neither is chosen. */
  country: string | null;
  /** Without a country, a number of the account or else of the workspace; null if there is none. */
  own: string | null;
}
