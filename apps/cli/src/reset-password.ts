// npm run reset-password -- EMAIL: prints a link with which a user chooses a new password. For a service that sends no mail,
// and for a user whose mailbox is lost. The link works once, for one hour, and replaces earlier ones.
// `-- EMAIL --remove-second-factor` instead removes the authenticator app and the recovery codes of a user who has lost both.
import { readEmailAddress } from '@switchboard/contracts';
import { createLinkToken, hashToken } from '@switchboard/credentials';
import {
  type Database,
  createAccountTokenStore,
  createDatabase,
  createSecondFactorStore,
} from '@switchboard/database';
import { linkTo } from '@switchboard/mail';
import { CommandError } from './command-error.ts';
import { readCommandConfig } from './config.ts';
import { runCommand } from './run-command.ts';

const options = { 'remove-second-factor': { type: 'boolean', default: false } } as const;

await runCommand(
  { name: 'reset-password', positionals: ['email'], options },
  async (values, [typed = '']) => {
    const config = readCommandConfig('reset-password');
    const email = readEmailAddress(typed.trim()) ?? typed;
    const database = createDatabase({
      url: config.DATABASE_URL,
      poolSize: 1,
      applicationName: 'switchboard-reset-password',
      onError: (error) => console.error(error.message),
    });
    try {
      if (values['remove-second-factor']) await removeSecondFactor(database, email);
      else await printLink(database, email, config);
    } finally {
      await database.close();
    }
  },
);

async function printLink(
  database: Database,
  email: string,
  { PUBLIC_URL: publicUrl, OIDC_ONLY: isOnly }: { PUBLIC_URL: string; OIDC_ONLY: boolean },
): Promise<void> {
  if (isOnly) {
    throw new CommandError(
      'OIDC_ONLY is true, so passwords are switched off. Use npm run sign-in-link -- EMAIL.',
    );
  }
  const token = createLinkToken('password_reset');
  const tokens = createAccountTokenStore(database);
  if (!(await tokens.putResetByOperator(email, hashToken(token)))) throw unknownUser(email);
  console.log(linkTo(publicUrl, 'password_reset', token));
}

async function removeSecondFactor(database: Database, email: string): Promise<void> {
  const removed = await createSecondFactorStore(database).removeByOperator(email);
  if (removed === 'unknown') throw unknownUser(email);
  if (removed === 'none') throw new CommandError(`${email} has no second factor.`);
  console.log(`${email} now signs in with the password alone.`);
}

function unknownUser(email: string): CommandError {
  return new CommandError(`No user has the address ${email}.`);
}
