/** The sealed text also identifies the version of the credentials. */
export interface SealedCredentials {
  workspaceId: string;
  sealedSecret: string;
}

/** Resets what the service recorded about the earlier credentials of an account. */
export const UNKNOWN_STATE = {
  refusedSince: null,
  refusedDetail: null,
  failingSince: null,
  failingDetail: null,
  probeAt: null,
  probes: 0,
  verifiedCredentials: null,
};
