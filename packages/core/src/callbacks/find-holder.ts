import type { DispatchRow } from '../dispatch/dispatch-row.ts';
import { listSidKeys } from '../dispatch/provider-identifier.ts';
import type { StatusCallback } from '../ports/status-callback.ts';
import { chooseHolder } from './choose-holder.ts';

export interface HolderStore<Row extends DispatchRow> {
  findRowByProviderSid(vendorAccountId: string, sid: string): Promise<Row | null>;
  /** Finds the newest messages whose identifiers have these keys (`toSidKey`), oldest first. */
  findRowsBySidKeys(
    vendorAccountId: string,
    keys: readonly string[],
  ): Promise<readonly (Row & { to: string })[]>;
}

/** Finds the message that a callback means, by its identifier; null if none or several fit. */
export async function findHolder<Row extends DispatchRow>(
  messages: HolderStore<Row>,
  workspaceId: string,
  callback: StatusCallback,
): Promise<Row | null> {
  const { vendorAccountId, sid, match } = callback;
  if (match === undefined) return messages.findRowByProviderSid(vendorAccountId, sid);
  const rows = await messages.findRowsBySidKeys(vendorAccountId, listSidKeys(sid));
  const own = rows.filter((row) => row.workspaceId === workspaceId);
  // Another workspace may have the same account at the vendor.
  return own.length > 0
    ? chooseHolder(own, callback)
    : (rows.find(({ providerSid }) => providerSid === sid) ?? null);
}
