// npm run sign-in-link -- EMAIL: prints a link that signs a user in without a password and without the identity provider. It works
// once, for 15 minutes, and replaces earlier ones. With --disconnect, the user is also disconnected from the identity provider, so that another
// user there, such as one that was created again, can be connected.
import { readEmailAddress } from '@switchboard/contracts';
import { createLinkToken, hashToken } from '@switchboard/credentials';
import {
  createDatabase,
  createIdentityStore,
  createSignInLinkStore,
  createUserStore,
} from '@switchboard/database';
import { linkTo } from '@switchboard/mail';
import { CommandError } from './command-error.ts';
import { readCommandConfig } from './config.ts';
import { runCommand } from './run-command.ts';

await runCommand(
  {
    name: 'sign-in-link',
    options: { disconnect: { type: 'boolean', default: false } },
    positionals: ['email'],
  },
  async ({ disconnect }, [typed = '']) => {
    const config = readCommandConfig('sign-in-link');
    const email = readEmailAddress(typed.trim()) ?? typed;
    const database = createDatabase({
      url: config.DATABASE_URL,
      poolSize: 1,
      applicationName: 'switchboard-sign-in-link',
      onError: (error) => console.error(error.message),
    });
    try {
      const user = await createUserStore(database).findByEmail(email);
      const token = createLinkToken('sign_in');
      const links = createSignInLinkStore(database);
      if (user === null || !(await links.put(email, hashToken(token)))) {
        throw new CommandError(`No user has the address ${email}.`);
      }
      if (disconnect) await createIdentityStore(database).disconnect(user.id, 'operator');
      console.log(linkTo(config.PUBLIC_URL, 'sign_in', token));
    } finally {
      await database.close();
    }
  },
);
