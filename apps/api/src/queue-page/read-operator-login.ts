import type { ApiConfig } from '../config.ts';

/** Returns the login of the queue page; null if it is not configured, which turns the page off. */
export function readOperatorLogin(config: ApiConfig): { user: string; password: string } | null {
  const { QUEUE_UI_USER: user, QUEUE_UI_PASSWORD: password } = config;
  return user === undefined || password === undefined ? null : { user, password };
}
