import type { Page } from 'playwright-core';
import type { History } from './fill-history.ts';

export interface View {
  name: string;
  /** The view is opened without a session. */
  signedOut?: true;
  /** The view is tested, but the documentation has no screenshot of it. */
  withoutScreenshot?: true;
  open(page: Page, base: string, history: History): Promise<void>;
}
