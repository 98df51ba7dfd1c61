import type pg from 'pg';
import {
  type VendorAccount,
  addVendorAccount,
  createVendorAccount,
  createWebhook,
  vendorOf,
} from '../vendor-account.ts';
import { askApp } from './ask-app.ts';
import { unknownValuesOf } from './endpoints.ts';
import type { Tenant } from './tenant.ts';

/** Sends a webhook of our account, and others with a forged signature or to an unknown account. */
export async function sendVendorWebhooks(options: {
  pool: pg.Pool;
  url: string;
  /** The path of the route, for example `/api/webhooks/telnyx/{providerId}/status`. */
  path: string;
  ours: Tenant;
  theirs: Tenant;
}) {
  const { pool, url, path, ours, theirs } = options;
  const vendor = vendorOf(path);
  const sql = (text: string, values: unknown[]) => pool.query(text, values);
  const mine = await addVendorAccount(sql, ours.workspaceId, vendor);
  const forger = { ...mine, account: createVendorAccount(vendor) };
  const kind = path.endsWith('/status') ? 'status' : 'inbound';
  // A status may name a message of the other workspace. A received message has its own identifier.
  const sid = kind === 'status' ? (theirs.params['messageId']?.[1] ?? '') : mine.id;
  const post = (providerId: string, signer: VendorAccount) =>
    askApp(url, {
      method: 'POST',
      path: path.replace('{providerId}', providerId),
      ...createWebhook(signer, kind, sid),
    });
  const forged = [await post(mine.id, forger)];
  for (const id of unknownValuesOf('providerId')) forged.push(await post(id, mine));
  return { forged, valid: await post(mine.id, mine) };
}
