import type { SendMessageResponse } from '@switchboard/contracts';
import { api, page, stack } from '../use-dashboard.ts';

export const rows = () => page.locator('[data-message]');
export const panel = () => page.getByRole('complementary', { name: 'Message' });
export const send = (to: string, body: string) =>
  stack.request<SendMessageResponse>('POST', `${api}/messages`, { to, body });

/** Starts recording the statuses that the page shows. Returns a function that reads them. */
export async function watchStatuses(): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    window.seenStatuses = [];
    const note = (element) => {
      const status = element.getAttribute('data-status');
      if (status !== null && window.seenStatuses.at(-1) !== status) window.seenStatuses.push(status);
    };
    new MutationObserver((records) => {
      for (const { type, target } of records) {
        if (type === 'attributes') note(target);
        else target.querySelectorAll('aside [data-status]').forEach(note);
      }
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-status'] });
  `);
  return () => page.evaluate<string[]>('window.seenStatuses');
}

export async function expectTotal(total: number): Promise<void> {
  await page.locator(`[data-total="${total}"]`).waitFor();
}
