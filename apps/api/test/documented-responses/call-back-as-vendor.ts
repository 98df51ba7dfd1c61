import { type Fields, sign } from '../call-back.ts';
import type { DocumentedRoute } from '../documented.ts';
import {
  type Vendor,
  type VendorAccount,
  addVendorAccount,
  createWebhook,
  signAs,
  vendorOf,
} from '../vendor-account.ts';
import { api, ours, pool } from './environment.ts';
import { record } from './record-outcomes.ts';

/** Sends a signed webhook of Twilio. */
export function callBack(kind: string, fields: Fields, base = api): Promise<unknown> {
  const path = `/api/webhooks/twilio/${ours.workspaceId}/${kind}`;
  const all = { AccountSid: ours.accountSid, ...fields };
  return record(`POST ${path}`, {
    base,
    raw: new URLSearchParams(all).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(ours.authToken, base.url + path, all),
    },
  });
}

const vendors = new Map<Vendor, VendorAccount>();

/** Sends a signed webhook of a vendor other than Twilio. */
export async function callBackAsVendor(
  { method, path }: DocumentedRoute,
  body: 'valid' | 'empty' | 'wrong',
  base = api,
): Promise<string> {
  const vendor = vendorOf(path);
  const sql = (text: string, values: unknown[]) => pool.query(text, values);
  const account = vendors.get(vendor) ?? (await addVendorAccount(sql, ours.workspaceId, vendor));
  vendors.set(vendor, account);
  const address = `${method} ${path.replace('{providerId}', account.id)}`;
  const kind = path.endsWith('/status') ? 'status' : 'inbound';
  if (body === 'valid') {
    return record(address, { base, ...createWebhook(account, kind, `${vendor}-${kind}`) });
  }
  const wrong = {
    data: { event_type: '?' },
    message_uuid: '?',
    ...(kind === 'status' ? { status: '?' } : { message_type: '?', from: '\u0007', text: 'Hi' }),
    id: 'two words',
    to: '\u0007',
  };
  // A gateway's event of which no part is there is of another kind, and is ignored.
  const right = {
    data: { event_type: kind === 'status' ? 'message.sent' : 'message.received' },
    ...(vendor === 'http' && (kind === 'status' ? { status: 'delivered' } : { text: 'Hello' })),
  };
  const raw = JSON.stringify(body === 'empty' ? right : wrong);
  return record(address, { base, raw, headers: signAs(account, raw) });
}
