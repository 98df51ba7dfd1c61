// npm run reset-password -- EMAIL: prints a link with which a user chooses a new password. For a service that sends no mail,
// and for a user whose mailbox is lost. The link works once, for one hour, and replaces earlier ones.
import { readEmailAddress } from '@switchboard/contracts';
import { createLinkToken, hashToken } from '@switchboard/credentials';
import { createAccountTokenStore, createDatabase } from '@switchboard/database';
import { linkTo } from '@switchboard/mail';
import { CommandError } from './command-error.ts';
import { readCommandConfig } from './config.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'reset-password', positionals: ['email'] }, async (_, [typed = '']) => {
  const config = readCommandConfig('reset-password');
  const email = readEmailAddress(typed.trim()) ?? typed;
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: 1,
    applicationName: 'switchboard-reset-password',
    onError: (error) => console.error(error.message),
  });
  try {
    const token = createLinkToken('password_reset');
    const tokens = createAccountTokenStore(database);
    if (!(await tokens.putResetByOperator(email, hashToken(token)))) {
      throw new CommandError(`No user has the address ${email}.`);
    }
    console.log(linkTo(config.PUBLIC_URL, 'password_reset', token));
  } finally {
    await database.close();
  }
});
