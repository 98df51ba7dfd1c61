import type { MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { openPage, signIn } from '../open-page.ts';
import { api, browser, page, stack, view } from '../use-dashboard.ts';
import { rows, send } from './environment.ts';

export function describeConnectionAndAccess(): void {
  test('the keyword HELP receives the reply that is configured for it', async () => {
    await page.goto(`${view}/settings/opt-outs`);
    await page.getByLabel('Reply to HELP').fill('Write to help@example.com.');
    await page.getByRole('button', { name: 'Save replies' }).click();
    await page.getByText('Saved.').waitFor();
    await stack.receive('+14155550188', 'help');
    await page.goto(`${view}/conversations/${encodeURIComponent('+14155550188')}`);
    const thread = page.getByRole('log', { name: 'Messages' });
    await thread.getByText('Write to help@example.com.').waitFor();
    const bodies = await thread.getByRole('listitem').allInnerTexts();
    expect(bodies.filter((text) => text.includes('Write to help@example.com.'))).toHaveLength(1);
  });

  test('no status change is missed when the connection is lost and restored', async () => {
    await page.goto(`${view}/messages`);
    await page.locator('[data-connection=live]:visible').waitFor();
    await page.getByRole('heading', { name: 'Messages', level: 1 }).hover();
    const frames: { type: string; cursor: string; message?: { id: string; status: string } }[] = [];
    const urls: string[] = [];
    page.on('websocket', (socket) => {
      urls.push(socket.url());
      socket.on('framereceived', ({ payload }) => frames.push(JSON.parse(String(payload))));
    });

    await page.evaluate(`(() => {
      window.attempts = 0;
      window.WebSocket = class extends WebSocket {
        constructor(...args) {
          super(...args);
          window.attempts += 1;
        }
      };
    })()`);
    await page.context().setOffline(true);
    await page.getByText('Connection lost').waitFor();
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(`+1415555030${n}`, `While away ${n}`)),
    );
    await expect
      .poll(async () => {
        const { pagination } = await stack.request<MessageList>(
          'GET',
          `${api}/messages?status=delivered`,
        );
        return pagination.totalMessages;
      }, EVENTUALLY)
      .toBe(43);
    // However often the page fails to connect without a network, it resumes where it was.
    await expect.poll(() => page.evaluate('window.attempts'), EVENTUALLY).toBeGreaterThan(3);
    await page.context().setOffline(false);
    await page.locator('[data-connection=live]:visible').waitFor();

    for (const { id } of sent) {
      await page.locator(`[data-message="${id}"] [data-status=delivered]`).waitFor();
      // Every event arrived over the WebSocket, once and in order, not only through a refetch. A
      // refetch may show the status before its frame arrives.
      const stepsOf = () => frames.filter(({ message }) => message?.id === id);
      await expect.poll(() => stepsOf().at(-1)?.message?.status, EVENTUALLY).toBe('delivered');
      const steps = stepsOf();
      expect(steps[0]).toMatchObject({ type: 'message.created', message: { status: 'queued' } });
      expect(new Set(steps.map(({ cursor }) => cursor)).size).toBe(steps.length);
    }
    expect(urls.at(-1)).toContain('cursor=');
  });

  test('a second tab shares the session, and signing out ends it in both', async () => {
    const second = await page.context().newPage();
    await second.goto(`${view}/messages`);
    await second.locator('[data-message]').first().waitFor();
    await page.getByRole('button', { name: 'Workspaces and account' }).first().click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(() => second.evaluate<number>('sessionStorage.length'), EVENTUALLY).toBe(0);
    await second.close();
  });

  test('an invited user joins as a member and sees no controls for owners', async () => {
    const invite = await stack.request<{ invite_token: string }>('POST', `${api}/members`, {
      email: 'grace@example.com',
      role: 'member',
    });
    await page.goto(`${stack.url}/invite#invite=${invite.invite_token}`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Password').fill('a sentence is easy');
    await page.getByRole('button', { name: 'Create account' }).click();
    await rows().first().waitFor();
    await page.goto(`${view}/settings/api-keys`);
    await page.getByText('Web shop', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Revoke|Create key/ }).count()).toBe(0);
    await page.goto(`${view}/settings`);
    await page.getByRole('link', { name: 'Members' }).waitFor();
    expect(await page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0);
  });

  test('when a session is ended elsewhere, the page shows the sign-in form', async () => {
    const other = await openPage(browser);
    await signIn(other.page, stack);
    const token = await other.page.evaluate<string>(
      `sessionStorage.getItem('switchboard.session')`,
    );
    const ended = await fetch(`${stack.url}/api/ui/sessions/current`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(ended.status).toBe(200);
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(other.errors).toEqual([]);
    await other.close();
  });
}
