import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CreatedApiKey, SendMessageResponse } from '@switchboard/contracts';
import { afterAll, expect, test } from 'vitest';
import { type History, fillHistory } from '../test/fill-history.ts';
import { api, opened, page, stack, useDashboard, view } from '../test/use-dashboard.ts';
import { createHands } from './hands.ts';
import { HISTORY_TASKS } from './history-tasks.ts';
import { INBOX_TASKS } from './inbox-tasks.ts';
import { measureTeam } from './measure-team.ts';
import { MESSAGE_TASKS } from './message-tasks.ts';
import { SETTINGS_TASKS } from './settings-tasks.ts';
import { TEAM_TASKS } from './team-tasks.ts';
import { type DoneTask, writePage } from './write-page.ts';

const PAGE = path.join(import.meta.dirname, '../../../docs/tasks.md');
const COLLEAGUE = 'Grace';
const DAY_MS = 86_400_000;

const GROUPS = [
  ['Conversations', INBOX_TASKS],
  ['Messages', MESSAGE_TASKS],
  ['History and statistics', HISTORY_TASKS],
  ['Contacts and settings', SETTINGS_TASKS],
] as const;
const TASKS = GROUPS.flatMap(([group, tasks]) => tasks.map((task) => ({ group, ...task })));

const done: DoneTask[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-tasks-'));
let history: History;

useDashboard({
  settings: { MEDIA_FOLDER: folder },
  // A browser with a window permits a copy after a click, without a prompt.
  window: { permissions: ['clipboard-write'] },
  async fill() {
    history = await fillHistory(stack);
    const email = 'grace.hopper@example.com';
    const invite = await stack.request<{ invite_token: string }>('POST', `${api}/members`, {
      email,
      role: 'member',
    });
    await stack.request('POST', '/api/ui/users', {
      email,
      name: COLLEAGUE,
      password: 'a sentence is easy',
      invite_token: invite.invite_token,
    });
    const note = { body: 'Yours, @Owner?', mentions: [stack.owner.userId] };
    await stack.request('POST', `${conversationOf(history.pal)}/notes`, note);
    const { key } = await stack.request<CreatedApiKey>('POST', `${api}/api-keys`, {
      name: 'Loyalty program',
    });
    const message = { to: '+14155550143', body: 'You have 120 points.' };
    await stack.requestAs(key, 'POST', '/api/messages', message);
  },
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  // A page without some of the tasks would look complete.
  if (done.length === TEAM_TASKS.length + TASKS.length) await writeFile(PAGE, writePage(done));
});

measureTeam(done);

const conversationOf = (number: string) => `${api}/conversations/${encodeURIComponent(number)}`;

test.each(TASKS)('$name', async ({ group, name, start = 'messages', prepare, run }) => {
  const { id: reminderId } = await stack.request<SendMessageResponse>('POST', `${api}/messages`, {
    to: '+14155550119',
    body: 'Reminder: tomorrow at nine.',
    scheduled_at: new Date(Date.now() + DAY_MS).toISOString(),
  });
  // Resets what earlier tasks have changed, so that no task depends on another.
  const conversation = conversationOf(history.friend);
  const { userId } = stack.owner;
  await stack.request('PATCH', conversation, { assignee_id: userId, state: 'open' });
  await prepare?.({ stack, api, conversation });
  const places = { ...history, reminderId };
  const address = Object.entries(places).reduce(
    (place, [field, value]) => place.replace(`{${field}}`, encodeURIComponent(value)),
    start,
  );
  await page.goto(`${view}/${address}`);
  await page.locator('[data-connection=live]:visible').waitFor();
  await page.waitForLoadState('networkidle');
  const hands = createHands(page);
  const startedAt = performance.now();
  await run({ page, hands, history: places, colleague: COLLEAGUE });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { effort } = hands;
  expect(effort.clicks + effort.keys).toBeGreaterThan(0);
  expect(opened.errors).toEqual([]);
  done.push({ group, name, start, effort: { ...effort }, seconds });
});
