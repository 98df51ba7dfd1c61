import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { api, page, stack, useDashboard, view } from './use-dashboard.ts';

const OURS = '+15005550006';

useDashboard({ fill: () => stack.request('POST', `${api}/numbers`, { number: OURS }) });

test('the audit trail is filtered by who, what and day, and the exported table has the same entries', async () => {
  await stack.request('POST', `${api}/saved-replies`, { name: 'Hours', body: 'Nine to five' });
  await page.goto(`${view}/settings/audit`);
  const trail = page.getByRole('region', { name: 'Audit trail' });
  await trail.getByText('added the sender').waitFor();
  await trail.getByText('added the saved reply').waitFor();
  expect(await trail.getByText('from 127.0.0.1').count()).toBeGreaterThan(0);

  await trail.getByLabel('What').selectOption('Saved reply added');
  await trail.getByText('added the sender').waitFor({ state: 'detached' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    trail.getByRole('button', { name: 'Export' }).click(),
  ]);
  const text = await readFile((await download.path()) ?? '', 'utf8');
  expect(text.trim().split('\r\n')).toHaveLength(2);
  expect(text).toContain('saved_reply.added');

  await trail.getByLabel('Who').selectOption('The operator');
  await trail.getByText('No entry matches').waitFor();
  await trail.getByRole('button', { name: 'Clear filters' }).click();
  await trail.getByText('added the sender').waitFor();
  await trail.getByLabel('To', { exact: true }).fill('2020-01-01');
  await trail.getByText('No entry matches').waitFor();
});
