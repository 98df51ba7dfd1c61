import { createTotpCode, toTotpStep } from '@switchboard/credentials';
import {
  EVENTUALLY,
  type IdentityProviderFixture,
  type MailServer,
  type TestDatabase,
  createTestDatabase,
  startApi,
  startIdentityProvider,
  startMailServer,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { vi } from 'vitest';
import { openChromium } from '../test/launch-chromium.ts';
import { type OpenPage, openPage } from '../test/open-page.ts';

export type Person = 'Ada' | 'Grace' | 'Linus';

/** A service without users, a mail server and an identity provider, and a window for each person. */
export interface Team {
  url: string;
  /** The URL of the workspace in the dashboard. */
  view: string;
  /** What the authenticator app and the sheet of paper of the person have. */
  secret: string;
  recoveryCodes: string[];
  passwords: Record<Person, string>;
  windowOf(person: Person): Promise<OpenPage>;
  /** Waits for the newest mail to the address whose text matches, and returns its link. */
  findLink(address: string, text: RegExp): Promise<string>;
  /** The code that the app shows; `steps` later. */
  readCode(steps?: number): string;
  stop(): Promise<void>;
}

export const addressOf = (person: Person): string => `${person.toLowerCase()}@corp.example`;

export async function startTeam(): Promise<Team> {
  const database: TestDatabase = await createTestDatabase();
  const mailServer: MailServer = await startMailServer();
  const idp: IdentityProviderFixture = await startIdentityProvider();
  const simulator = await startSimulator();
  const settings = {
    DATABASE_URL: database.url,
    TWILIO_API_URL: simulator.url,
    SWEEP_MS: '200',
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'switchboard@example.com',
    ...idp.env,
    OIDC_NAME: 'Corp',
  };
  const api = await startApi(settings);
  const worker = await startWorker({ ...settings, PUBLIC_URL: api.url });
  const browser: Browser = await openChromium();
  const windows = new Map<Person, OpenPage>();
  idp.allow(`${api.url}/api/ui/oidc/callback`);
  idp.users.set('linus', { email: addressOf('Linus'), email_verified: true, name: 'Linus' });

  const team: Team = {
    url: api.url,
    view: '',
    secret: '',
    recoveryCodes: [],
    passwords: {
      Ada: 'the password of ada lovelace',
      Grace: 'the password of grace hopper',
      Linus: '',
    },
    async windowOf(person) {
      const open =
        windows.get(person) ??
        (await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] }));
      windows.set(person, open);
      return open;
    },
    async findLink(address, text) {
      const find = () =>
        mailServer.mails.findLast((mail) => mail.to.includes(address) && text.test(mail.text));
      const mail = await vi.waitFor(() => {
        const found = find();
        if (found === undefined) throw new Error(`no mail to ${address} with ${String(text)}`);
        return found;
      }, EVENTUALLY);
      return mail.links[0] ?? '';
    },
    readCode: (steps = 0) => createTotpCode(team.secret, toTotpStep(Date.now()) + steps),
    async stop() {
      // The browser itself may be that of other tests.
      await Promise.all([...windows.values()].map((open) => open.close()));
      await worker.stop();
      await api.stop();
      await simulator.stop();
      await idp.close();
      await mailServer.close();
      await database.drop();
    },
  };
  return team;
}
