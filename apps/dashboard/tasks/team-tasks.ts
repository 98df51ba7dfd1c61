import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Hands } from './hands.ts';
import { type Person, type Team, addressOf } from './team.ts';

const run = promisify(execFile);

export interface TeamTask {
  name: string;
  who: Person;
  /** A path of the service, or of the workspace if it does not begin with a slash; null for a link in a mail. */
  start: string | null;
  /** Creates the state that the task requires. It is not counted. */
  prepare?(scene: { page: Page; team: Team }): Promise<unknown>;
  run(scene: { page: Page; hands: Hands; team: Team }): Promise<void>;
}

const ACCOUNT = 'settings/account';
const KEYS = 'settings/api-keys';
const isLive = (page: Page) => page.locator('[data-connection=live]:visible').waitFor();
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const factor = (page: Page) => page.getByRole('region', { name: 'Second factor' });

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Workspaces and account' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

async function enterPassword(hands: Hands, page: Page, team: Team, person: Person): Promise<void> {
  await hands.type(addressOf(person));
  await hands.click(page.getByLabel('Password', { exact: true }));
  await hands.type(team.passwords[person]);
  await hands.press('Enter');
}

/** Scans the QR code, enters the code that the app shows, and saves the recovery codes. */
async function setUpApp(hands: Hands, page: Page, team: Team): Promise<void> {
  const password = factor(page).getByLabel('Current password');
  if (await password.isVisible()) {
    await hands.click(password);
    await hands.type(team.passwords.Grace);
  }
  await hands.click(factor(page).getByRole('button', { name: 'Set up' }));
  await factor(page).getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = await factor(page).locator('[data-totp-secret]').textContent();
  team.secret = (secret ?? '').replaceAll(' ', '');
  await hands.click(factor(page).getByLabel('Code', { exact: true }));
  await hands.type(team.readCode());
  await hands.press('Enter');
  const codes = page.getByRole('list', { name: 'Recovery codes' });
  await codes.waitFor();
  team.recoveryCodes = await codes.getByRole('listitem').allTextContents();
  const file = page.waitForEvent('download');
  await hands.click(factor(page).getByRole('button', { name: 'Download' }));
  await (await file).path();
  await hands.click(factor(page).getByRole('button', { name: 'I have saved the codes' }));
  await factor(page).getByText('10 codes left').waitFor();
}

/** Runs the command of the page as it is, in a shell. */
async function runCommand(command: string): Promise<Record<string, unknown>> {
  const { stdout } = await run('bash', ['-c', command.replace(/^curl/, 'curl -s --max-time 60')]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The path of a new team, in this order. Each task continues where the one before ended. */
export const TEAM_TASKS: readonly TeamTask[] = [
  {
    name: 'Create the first account and the workspace',
    who: 'Ada',
    start: '/',
    async run({ page, hands, team }) {
      await hands.click(page.getByRole('link', { name: 'Create an account' }));
      await hands.click(page.getByLabel('Name'));
      await hands.type('Ada');
      await hands.click(page.getByLabel('Email'));
      await hands.type(addressOf('Ada'));
      await hands.click(page.getByLabel('Password', { exact: true }));
      await hands.type(team.passwords.Ada);
      await hands.press('Enter');
      await button(page, 'Create workspace').waitFor();
      await hands.type('Analytical Engines');
      await hands.press('Enter');
      await isLive(page);
      team.view = page.url().replace(/\/messages.*/, '');
    },
  },
  {
    name: 'Confirm the address',
    who: 'Ada',
    start: null,
    async run({ page, hands, team }) {
      await hands.follow(await team.findLink(addressOf('Ada'), /confirm/i));
      await hands.click(page.getByRole('button', { name: 'Confirm this address' }));
      await page.getByText('Your email address is confirmed.').waitFor();
    },
  },
  {
    name: 'Invite a colleague by mail',
    who: 'Ada',
    start: 'settings/members',
    async run({ page, hands }) {
      await hands.click(page.getByLabel('Email'));
      await hands.type(addressOf('Grace'));
      await hands.press('Enter');
      await page.getByText('A mail with the invitation is on its way').waitFor();
    },
  },
  {
    name: 'Accept an invitation with a new account',
    who: 'Grace',
    start: null,
    async run({ page, hands, team }) {
      await hands.follow(await team.findLink(addressOf('Grace'), /invite/));
      await hands.click(page.getByRole('link', { name: 'Create an account' }));
      await hands.click(page.getByLabel('Name'));
      await hands.type('Grace');
      await hands.click(page.getByLabel('Email'));
      await hands.type(addressOf('Grace'));
      await hands.click(page.getByLabel('Password', { exact: true }));
      await hands.type(team.passwords.Grace);
      await hands.press('Enter');
      await isLive(page);
      expect(page.url()).toContain(team.view);
    },
  },
  {
    name: 'Sign in for the first time with the identity provider, invited',
    who: 'Linus',
    start: '/sign-in',
    async prepare({ team }) {
      const { page } = await team.windowOf('Ada');
      await page.goto(`${team.view}/settings/members`);
      await page.getByLabel('Email').fill(addressOf('Linus'));
      await page.getByRole('button', { name: 'Create invitation' }).click();
      await page.getByText('A mail with the invitation is on its way to linus').waitFor();
    },
    async run({ page, hands, team }) {
      await hands.click(page.getByRole('link', { name: 'Sign in with Corp' }));
      await hands.click(page.getByRole('button', { name: addressOf('Linus') }));
      await isLive(page);
      expect(page.url()).toContain(team.view);
    },
  },
  {
    name: 'Turn on a second factor, and save the recovery codes',
    who: 'Grace',
    start: ACCOUNT,
    run: ({ page, hands, team }) => setUpApp(hands, page, team),
  },
  {
    name: 'Sign in with password and code',
    who: 'Grace',
    start: '/sign-in',
    prepare: ({ page }) => signOut(page),
    async run({ page, hands, team }) {
      await enterPassword(hands, page, team, 'Grace');
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await hands.type(team.readCode(1));
      await hands.press('Enter');
      await isLive(page);
    },
  },
  {
    name: 'Sign in without the lost phone',
    who: 'Grace',
    start: '/sign-in',
    prepare: ({ page }) => signOut(page),
    async run({ page, hands, team }) {
      await enterPassword(hands, page, team, 'Grace');
      await hands.click(page.getByRole('button', { name: /Lost your phone/ }));
      await hands.type(team.recoveryCodes[0] ?? '');
      await hands.press('Enter');
      await isLive(page);
    },
  },
  {
    name: 'Move the second factor to a new phone',
    who: 'Grace',
    start: ACCOUNT,
    async run({ page, hands, team }) {
      await hands.click(factor(page).getByRole('button', { name: 'Turn off' }));
      const off = dialog(page, 'Turn off the second factor?');
      await hands.click(off.getByLabel('Current password'));
      await hands.type(team.passwords.Grace);
      await hands.click(off.getByLabel('Code', { exact: true }));
      await hands.type(team.recoveryCodes[1] ?? '');
      await hands.click(off.getByRole('button', { name: 'Turn off' }));
      await factor(page).getByRole('button', { name: 'Set up' }).waitFor();
      await setUpApp(hands, page, team);
    },
  },
  {
    name: 'Get back in with a forgotten password',
    who: 'Grace',
    start: '/sign-in',
    prepare: ({ page }) => signOut(page),
    async run({ page, hands, team }) {
      await hands.click(page.getByRole('link', { name: 'Forgot your password?' }));
      await page.getByRole('button', { name: 'Send link' }).waitFor();
      await hands.click(page.getByLabel('Email'));
      await hands.type(addressOf('Grace'));
      await hands.press('Enter');
      await page.getByText('If an account has this address').waitFor();
      await hands.follow(await team.findLink(addressOf('Grace'), /reset/));
      team.passwords.Grace = 'another password of grace';
      await hands.click(page.getByLabel('Password', { exact: true }));
      await hands.type(team.passwords.Grace);
      await hands.press('Enter');
      await page.getByText('Your password is changed').waitFor();
      await hands.click(page.getByRole('link', { name: 'Sign in' }).first());
      await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
      await enterPassword(hands, page, team, 'Grace');
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await hands.type(team.readCode(1));
      await hands.press('Enter');
      await isLive(page);
    },
  },
  {
    name: 'Try the service: send a message with a test key',
    who: 'Ada',
    start: 'messages',
    async run({ page, hands }) {
      await hands.click(page.getByRole('link', { name: 'Test mode', exact: true }));
      await page.getByRole('complementary', { name: 'Test mode' }).waitFor();
      await hands.click(page.getByRole('link', { name: 'Settings' }).filter({ visible: true }));
      await hands.click(page.getByRole('link', { name: 'API keys' }));
      await hands.click(page.getByLabel('Name', { exact: true }));
      await hands.type('Trial');
      await hands.press('Enter');
      const shown = dialog(page, 'The key “Trial”');
      const send = shown.getByText(/^curl .*\/api\/messages/);
      const command = await send.innerText();
      await hands.click(shown.getByRole('button', { name: 'Copy command' }).last());
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).toBe(command);
      expect(await runCommand(copied)).toMatchObject({ status: 'queued' });
      await hands.click(shown.getByRole('button', { name: 'I have copied it' }));
      await hands.click(page.getByRole('link', { name: 'Messages' }).filter({ visible: true }));
      await page.locator('text=Delivered >> visible=true').first().waitFor();
    },
  },
  {
    name: 'Connect an account for trials, and a number',
    who: 'Ada',
    start: 'settings/provider',
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Sandbox' }));
      await hands.click(button(page, 'Connect Sandbox'));
      await page.getByText('is connected.').waitFor();
      await hands.click(page.getByRole('button', { name: 'Done' }));
      await hands.click(page.getByRole('link', { name: 'Numbers' }).filter({ visible: true }));
      await hands.click(page.getByLabel('Number', { exact: true }));
      await hands.type('+15005550006');
      await hands.press('Enter');
      await page
        .getByText(/500\D+555\D+0006/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'Create a key that can only send, and send with it',
    who: 'Ada',
    start: KEYS,
    async run({ page, hands }) {
      await hands.click(page.getByLabel('Name', { exact: true }));
      await hands.type('Web shop');
      await hands.choose(page.getByLabel('Access'), 'Only what is selected');
      await hands.click(page.getByLabel('Send and cancel messages, upload media'));
      await hands.click(button(page, 'Create key'));
      const shown = dialog(page, 'The key “Web shop”');
      await hands.click(shown.getByRole('button', { name: 'Copy command' }).last());
      const command = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(command).toMatch(/\/api\/messages .*-d/);
      expect(await runCommand(command)).toMatchObject({ status: 'queued' });
      await hands.click(shown.getByRole('button', { name: 'I have copied it' }));
      await button(page, 'Revoke Web shop').waitFor();
    },
  },
  {
    name: 'Erase a person',
    who: 'Ada',
    start: `conversations/${encodeURIComponent('+14155550123')}`,
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Erase person…' }));
      const erasing = page.getByRole('dialog');
      await hands.click(erasing.getByRole('textbox'));
      await hands.type('+14155550123');
      await hands.click(erasing.getByRole('button', { name: 'Erase', exact: true }));
      await erasing.getByText('Erased.', { exact: true }).waitFor();
      await erasing.getByText('1 message removed at the provider').waitFor();
    },
  },
  {
    name: 'Remove a colleague who has left',
    who: 'Ada',
    start: 'settings/members',
    async run({ page, hands, team }) {
      const { page: theirs } = await team.windowOf('Linus');
      await hands.click(button(page, 'Remove Linus'));
      await hands.click(dialog(page, 'Remove Linus?').getByRole('button', { name: /^Remove/ }));
      await button(page, 'Remove Linus').waitFor({ state: 'detached' });
      await theirs.getByText('You don’t have access to this workspace').waitFor();
    },
  },
];
