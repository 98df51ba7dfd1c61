import type { Environment } from '../backup/run-program.ts';
import { CommandError } from '../command-error.ts';
import { type DatabaseSize, measureDatabase } from './measure-database.ts';

/** A message whose transaction was open when the dump began may be older than this and missing from it. */
const OPEN_TRANSACTION_MS = 60_000;

/**
 * Checks that a restored database has every message of the live one up to the same time. The restored
 * database may have more, because retention may have deleted messages from the live one since.
 *
 * @throws CommandError if messages or workspaces are missing from the restored database
 */
export async function compareWithLive(databases: {
  live: string;
  restored: string;
  env: Environment;
}): Promise<DatabaseSize> {
  const { live, restored, env } = databases;
  const whole = await measureDatabase(restored, env);
  const inLive = await measureDatabase(live, env);
  if (whole.workspaces === 0 && inLive.workspaces > 0) {
    throw new CommandError('The restored database has no workspaces.');
  }
  if (whole.newest === null) {
    if (inLive.newest === null) return whole;
    throw new CommandError('The restored database has no messages.');
  }
  const until = new Date(Date.parse(whole.newest) - OPEN_TRANSACTION_MS).toISOString();
  const [then, now] = [
    await measureDatabase(restored, env, until),
    await measureDatabase(live, env, until),
  ];
  if (then.messages < now.messages) {
    throw new CommandError(
      `The restored database has ${then.messages} messages up to ${until}, but the live one has ${now.messages}.`,
    );
  }
  return whole;
}
