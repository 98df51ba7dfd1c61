import { createHmac } from 'node:crypto';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type ApiResponse, ask } from './start-service.ts';

export type Fields = Record<string, string>;

/**
 * Computes Twilio's signature from its documentation, without Twilio's package:
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export function sign(authToken: string, url: string, fields: Fields): string {
  const text = Object.keys(fields)
    .toSorted()
    .reduce((sum, name) => sum + name + fields[name], url);
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}

export interface CallBackOptions {
  /** The default is `status`. */
  kind?: 'status' | 'inbound';
  /** The message id in the query. Undefined for a callback URL without a query. */
  message?: string;
  /** The public URL of the service, which the signature covers. */
  publicUrl?: string;
  signature?: string | null;
  workspaceId?: string;
}

/** Sends a webhook like Twilio, by default with the signature of the workspace. */
export function callBack(
  url: string,
  workspace: Pick<WorkspaceFixture, 'workspaceId' | 'accountSid' | 'authToken'>,
  given: Fields,
  options: CallBackOptions = {},
): Promise<ApiResponse> {
  const query = options.message === undefined ? '' : `?message=${options.message}&attempt=1`;
  const { kind = 'status', workspaceId = workspace.workspaceId } = options;
  const path = `/api/webhooks/twilio/${workspaceId}/${kind}${query}`;
  const fields: Fields = { AccountSid: workspace.accountSid, ApiVersion: '2010-04-01', ...given };
  const signature =
    options.signature === undefined
      ? sign(workspace.authToken, (options.publicUrl ?? url) + path, fields)
      : options.signature;
  return ask(url, path, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      ...(signature !== null && { 'x-twilio-signature': signature }),
    },
  });
}
