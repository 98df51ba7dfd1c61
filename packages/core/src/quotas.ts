import { AppError } from './errors.ts';

/**
 * How many of each thing there may be: whatever a client can make or open again and again has a
 * bound. docs/security.md has the same table, with what each counts.
 */
export const QUOTAS = {
  apiKeysPerWorkspace: 100,
  numbersPerWorkspace: 1_000,
  membersPerWorkspace: 1_000,
  invitesPerWorkspace: 1_000,
  /** Of those that users add. An opt-out that a phone asks for is stored whatever their number. */
  addedOptOutsPerWorkspace: 100_000,
  /** One more ends the session that was unused for longest. */
  sessionsPerUser: 100,
  workspacesPerOwner: 100,
  socketsPerKey: 100,
  socketsPerUser: 100,
  socketsPerWorkspace: 1_000,
  waitsPerWorkspace: 500,
} as const;

/** Builds the refusal: `used` completes "The quota of 100 …". */
export function quotaExceeded(limit: number, used: string): AppError {
  return new AppError('quota_exceeded', `The quota of ${limit} ${used} is used up`);
}
