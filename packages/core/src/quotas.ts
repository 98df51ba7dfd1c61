import { AppError } from './errors.ts';

/**
 * The limits of everything that a client can create or open repeatedly. docs/security.md has the same
 * table and describes what each limit counts.
 */
export const QUOTAS = {
  /** Keys that are neither revoked nor expired. */
  apiKeysPerWorkspace: 100,
  /** Secrets that rotations replaced and that still work. */
  replacedSecretsPerKey: 10,
  numbersPerWorkspace: 1_000,
  providersPerWorkspace: 10,
  /** Removed accounts that get their id back when they are added again: the latest ones. */
  removedProvidersPerWorkspace: 100,
  membersPerWorkspace: 1_000,
  invitesPerWorkspace: 1_000,
  /** Only opt-outs that users add. An opt-out from a phone is always stored. */
  addedOptOutsPerWorkspace: 100_000,
  /** Requests to erase a person that are not finished. */
  openErasuresPerWorkspace: 100,
  contactsPerWorkspace: 50_000,
  /** The names of all fields that any contact has. Each is a column of an export. */
  contactFieldNamesPerWorkspace: 200,
  savedRepliesPerWorkspace: 1_000,
  savedViewsPerWorkspace: 100,
  notesPerConversation: 1_000,
  /** A login beyond this number ends the session that has been unused the longest. */
  sessionsPerUser: 100,
  workspacesPerOwner: 100,
  socketsPerKey: 100,
  socketsPerUser: 100,
  socketsPerWorkspace: 1_000,
  waitsPerWorkspace: 500,
  exportsPerWorkspace: 5,
  /** Each holds its body, of at most 2 MiB, in memory. */
  batchesPerWorkspace: 20,
  webhookEndpointsPerWorkspace: 50,
  /** Requests a minute that call the server of a provider account, such as a verification. */
  providerCallsPerWorkspace: 60,
  /** Of one user in all workspaces. */
  providerCallsPerUser: 300,
  /** The bytes of uploaded files are limited by `MEDIA_LIMIT_WORKSPACE_MB`. */
  mediaFilesPerWorkspace: 50_000,
} as const;

/** Creates the error. `used` completes "The quota of 100 …". */
export function quotaExceeded(limit: number, used: string): AppError {
  return new AppError('quota_exceeded', `The quota of ${limit} ${used} has been reached`);
}
