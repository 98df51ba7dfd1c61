/** The sealed text also identifies the version of the credentials. */
export interface SealedCredentials {
  workspaceId: string;
  sealedSecret: string;
}
