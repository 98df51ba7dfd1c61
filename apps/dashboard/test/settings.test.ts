import { EVENTUALLY, createWorkspaceFixture, type WorkspaceFixture } from '@switchboard/testing';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { browser, opened, page, stack, useDashboard, view } from './use-dashboard.ts';
import { runVerification, startWebhookProgram } from './webhook-program.ts';

/** The window of an invited user. */
let invited: OpenPage;
let guest: WorkspaceFixture;

// Each test continues where the previous one ended.
useDashboard({ settings: { WEBHOOK_ALLOW_LOOPBACK: 'true' } });
beforeAll(async () => {
  guest = await createWorkspaceFixture(stack.database.url, { email: 'grace@example.com' });
  invited = await openPage(browser);
});

const section = (name: string) => page.getByRole('region', { name });

async function invite(email: string): Promise<string> {
  const form = section('Invite someone');
  await form.getByLabel('Email').fill(email);
  await form.getByRole('button', { name: 'Create invitation' }).click();
  await form.getByText(`Send this link to ${email}.`).waitFor();
  return form.locator('code').innerText();
}

let link: string;

test('an invitation link has its token in the fragment, and the invitation is listed', async () => {
  await page.goto(`${view}/settings/members`);
  link = await invite(guest.email);
  expect(link).toMatch(/^http:\/\/[^/]+\/invite#invite=swi_[0-9A-Za-z]{43}$/);
  const row = section('Open invitations').getByRole('listitem').filter({ hasText: guest.email });
  await row.getByText('Invited by Owner').waitFor();
  await expect.poll(() => section('Members').getByRole('listitem').count(), EVENTUALLY).toBe(1);
});

test('a withdrawn invitation leaves the list, and its link shows why it does not work', async () => {
  const withdrawn = await invite('nobody@example.com');
  const row = section('Open invitations')
    .getByRole('listitem')
    .filter({ hasText: 'nobody@example.com' });
  await row.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await row.waitFor({ state: 'detached' });

  const { page: theirs } = invited;
  await theirs.goto(withdrawn);
  await theirs.getByRole('link', { name: 'Create an account' }).click();
  await theirs.getByLabel('Name').fill('Nobody');
  await theirs.getByLabel('Email').fill('nobody@example.com');
  await theirs.getByLabel('Password').fill('a sentence is easy');
  await theirs.getByRole('button', { name: 'Create account' }).click();
  await theirs.getByRole('alert').getByText('invitation is unknown, used or expired').waitFor();
  expect(new URL(theirs.url()).hash).toBe(new URL(withdrawn).hash);
});

test('an invited user signs in and joins with the link, and no page request contains the token', async () => {
  const { page: theirs } = invited;
  const urls: string[] = [];
  theirs.on('request', (request) => urls.push(`${request.method()} ${request.url()}`));
  await theirs.goto(link);
  await theirs.getByRole('link', { name: 'Sign in' }).click();
  await theirs.getByText('Sign in to accept the invitation.').waitFor();
  await theirs.getByLabel('Email').fill(guest.email);
  await theirs.getByLabel('Password').fill(guest.password);
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await theirs.getByText(guest.email).waitFor();
  await theirs.getByRole('button', { name: 'Accept invitation' }).click();
  await theirs.waitForURL(`${view}/messages`);
  await theirs.locator('[data-connection=live]:visible').waitFor();

  const token = link.split('=').at(-1) ?? '';
  expect(urls.filter((url) => url.includes(token))).toEqual([
    `POST ${stack.url}/api/ui/invites/${token}/accept`,
  ]);
  await page.reload();
  await section('Members').getByText(guest.email).waitFor();
  await section('Open invitations').getByText('No open invitations.').waitFor();
});

test('a member who leaves a workspace sees another of their workspaces', async () => {
  const { page: theirs } = invited;
  await theirs.goto(`${view}/settings/members`);
  await theirs.getByRole('button', { name: 'Leave' }).click();
  const dialog = theirs.getByRole('dialog', { name: 'Leave this workspace?' });
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await theirs.waitForURL(`${stack.url}/w/${guest.workspaceId}/messages`);
  await page.reload();
  await section('Open invitations').waitFor();
  await expect.poll(() => section('Members').getByRole('listitem').count(), EVENTUALLY).toBe(1);
});

test('the last owner cannot leave a workspace, and the dialog shows why', async () => {
  await page.reload();
  await page.getByRole('button', { name: 'Leave' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave this workspace?' });
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await dialog.getByRole('alert').getByText('The last owner of a workspace').waitFor();
  await page.keyboard.press('Escape');
  expect(page.url()).toBe(`${view}/settings/members`);
});

test('a user who ends a session in another browser signs that browser out immediately', async () => {
  const other = await openPage(browser);
  await signIn(other.page, stack);
  await page.goto(`${view}/settings/account`);
  const rows = section('Sessions').getByRole('listitem');
  // The third session is the test's own.
  await expect.poll(() => rows.count(), EVENTUALLY).toBe(3);
  expect(await rows.filter({ hasText: 'This session' }).count()).toBe(1);
  const theirs = rows.filter({ hasText: 'Chrome on Linux' }).filter({ hasNotText: 'This session' });
  await theirs.getByRole('button', { name: 'End' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expect.poll(() => rows.count(), EVENTUALLY).toBe(2);

  await section('Sessions').getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
  await expect.poll(() => rows.count(), EVENTUALLY).toBe(1);
  expect(other.errors).toEqual([]);
  await other.close();
});

test('an owner adds a webhook endpoint, tests it, verifies its deliveries with the code on the page, replaces its secret and deletes it', async () => {
  const program = await startWebhookProgram();
  onTestFinished(() => program.stop());
  const { url } = program;
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();

  await page.getByLabel('URL').fill('http://10.0.0.1/');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByText('Enter a URL that begins with https://').waitFor();
  await page.getByLabel('URL').fill(url);
  await page.getByLabel('Description').fill('Web shop');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const created = page.getByRole('dialog', { name: 'Signing secret' });
  const secret = (await created.locator('[data-secret]').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await created.getByRole('button', { name: 'I have copied it' }).click();

  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('The test was delivered: 200').waitFor();
  await page.getByText('Working').waitFor();
  const [delivery] = program.received;
  if (delivery === undefined) throw new Error('the program received nothing');
  const code = (await page.getByLabel('Code in Node.js').textContent()) ?? '';
  expect(await runVerification(code, secret, delivery)).toBe('endpoint.test');
  const forged = { ...delivery, body: delivery.body.replace('1', '2') };
  expect(await runVerification(code, secret, forged)).toBe('WebhookVerificationError');
  for (const language of ['Python', 'Go', 'Ruby', 'PHP', 'Java']) {
    await page.getByRole('button', { name: language, exact: true }).click();
    await page.getByLabel(`Code in ${language}`).waitFor();
  }

  await page.getByRole('button', { name: 'Deliveries' }).click();
  const deliveries = page.getByRole('dialog', { name: 'Deliveries' });
  await deliveries.getByText('endpoint.test', { exact: true }).click();
  await deliveries.getByText('Thank you').waitFor();
  await deliveries.getByText('"sequence": 1').waitFor();
  await deliveries.getByRole('button', { name: 'Send again' }).click();
  await deliveries.getByText('Pending').or(deliveries.getByText('Delivered')).first().waitFor();
  await deliveries.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Replay' }).click();
  const replay = page.getByRole('dialog', { name: 'Replay events' });
  await replay.getByRole('button', { name: 'Replay' }).click();
  await replay.getByText(/\d events? will be sent again/).waitFor();
  await replay.getByRole('button', { name: 'Close' }).first().click();

  await page.getByRole('button', { name: `Replace secret of ${url}` }).click();
  await page.getByRole('button', { name: 'Replace secret', exact: true }).last().click();
  const replaced = await created.locator('[data-secret]').textContent();
  expect(replaced).toMatch(/^whsec_/);
  expect(replaced).not.toBe(secret);
  await created.getByRole('button', { name: 'I have copied it' }).click();

  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: `Delete ${url}` }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await page.getByText('No endpoints yet').waitFor();
});

test('a copy button shows that the browser refused the copy, and confirms a permitted copy', async () => {
  await page.goto(`${view}/settings/general`);
  const copy = page.getByRole('button', { name: 'Copy workspace ID', exact: true });
  const refused = page.getByRole('button', { name: 'Copy workspace ID: not copied' });
  // The button shows the result for two seconds, so the wait begins before the click.
  await Promise.all([refused.waitFor(), copy.click()]);
  await page.context().grantPermissions(['clipboard-write']);
  const copied = page.getByRole('button', { name: 'Copy workspace ID: copied' });
  await Promise.all([copied.waitFor(), copy.click()]);
  expect(await page.getByRole('button', { name: /not copied/ }).count()).toBe(0);
});

test('no page logs an error during the settings tests', () => {
  expect([opened.errors, invited.errors]).toEqual([[], []]);
});
