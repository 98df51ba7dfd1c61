import { once } from 'node:events';
import { type IncomingMessage, get } from 'node:http';
import { QUOTAS } from '@switchboard/core';
import { expect } from 'vitest';
import { api, full } from './environment.ts';

/** Starts as many exports as a workspace may run, and reads none. Each is larger than the buffers. */
export async function openExports(): Promise<IncomingMessage[]> {
  const headers = { authorization: `Bearer ${full.apiKey}` };
  const running: IncomingMessage[] = [];
  while (running.length < QUOTAS.exportsPerWorkspace) {
    const request = get(`${api.url}/api/contacts/export.csv`, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    running.push(response);
  }
  return running;
}
