import type { Locator, Page } from 'playwright-core';
import { EVENTUALLY, createCarrier, createHttp } from '@switchboard/testing';
import { expect, vi } from 'vitest';
import { api, stack } from './use-dashboard.ts';

export const PROVIDERS = ['twilio', 'telnyx', 'vonage', 'smpp'] as const;

export type Provider = (typeof PROVIDERS)[number];

/** Adds an account at this vendor, and a number of it that receives messages. Returns the number. */
export async function addNumber(type: Provider): Promise<string> {
  const number = `+1415555020${PROVIDERS.indexOf(type)}`;
  if (type === 'twilio') {
    await stack.request('POST', `${api}/numbers`, { number });
  } else {
    const carrier = createCarrier(stack.simulatorUrl, createHttp());
    const credentials = await carrier.createAccount(type, number);
    const account = { type, credentials, on_unknown: 'fail' };
    const { id } = await stack.request<{ id: string }>('POST', `${api}/providers`, account);
    await stack.request('POST', `${api}/providers/${id}/verify`);
    await stack.request('POST', `${api}/numbers`, { number, provider_id: id });
    // At Vonage, the owner enters the URL in the vendor's dashboard.
    if (type === 'vonage') {
      const inbound_url = `${stack.url}/api/webhooks/vonage/${id}/inbound`;
      await control('POST', 'accounts', { type, credentials, inbound_url });
    }
  }
  // The service sets the URL for received messages at the vendor in the background.
  await vi.waitFor(async () => {
    const numbers = await control<ServiceNumber[]>('GET', 'numbers');
    expect(numbers).toContainEqual(
      expect.objectContaining({ number, provider: type, receives: true }),
    );
  }, EVENTUALLY);
  return number;
}

interface ServiceNumber {
  number: string;
  provider: string;
  receives: boolean;
}

/** Calls a control route of the simulator. */
export async function control<Body>(method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${stack.simulatorUrl}/simulator/${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/** Opens the simulator's page with these phones. */
export async function openPhones(page: Page, ...numbers: string[]): Promise<void> {
  const query = new URLSearchParams(
    numbers.map((number): [string, string] => ['number', number]),
  ).toString();
  await page.goto(`${stack.simulatorUrl}/?${query}`);
  await page.getByText('Live', { exact: true }).waitFor();
}

export const phoneOf = (page: Page, number: string): Locator =>
  page.getByRole('region', { name: number });

/** Returns the bubble with this text. */
export const bubbleOf = (page: Page, number: string, text: string): Locator =>
  phoneOf(page, number).getByRole('listitem').filter({ hasText: text });
