import type { Environment } from '../backup/run-program.ts';
import { CommandError } from '../command-error.ts';
import { type DatabaseSize, measureDatabase } from './measure-database.ts';

/** A transaction that was open while the dump began may have an earlier time and not be in it. */
const OPEN_TRANSACTION_MS = 60_000;

/**
 * Checks that a restored database has every message that the live one has of the same time.
 * Retention may have deleted some of the live ones since, but never the other way round.
 *
 * @throws CommandError if messages or workspaces are missing from it
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
    throw new CommandError('The restored database has no workspace.');
  }
  if (whole.newest === null) {
    if (inLive.newest === null) return whole;
    throw new CommandError('The restored database has no message.');
  }
  const until = new Date(Date.parse(whole.newest) - OPEN_TRANSACTION_MS).toISOString();
  const [then, now] = [
    await measureDatabase(restored, env, until),
    await measureDatabase(live, env, until),
  ];
  if (then.messages < now.messages) {
    throw new CommandError(
      `The restored database has ${then.messages} messages until ${until}, the live one has ${now.messages}.`,
    );
  }
  return whole;
}
