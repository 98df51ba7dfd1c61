import { createHmac } from 'node:crypto';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type Answer, ask } from './start-service.ts';

export type Fields = Record<string, string>;

/**
 * Twilio's signature, computed from its description, not by its package:
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export function sign(authToken: string, url: string, fields: Fields): string {
  const text = Object.keys(fields)
    .toSorted()
    .reduce((sum, name) => sum + name + fields[name], url);
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}

export interface CallBackOptions {
  /** Default `status`. */
  kind?: 'status' | 'inbound';
  /** For the query; absent where the provider calls an address without one. */
  message?: string;
  /** Where the provider believes the service to be. */
  publicUrl?: string;
  signature?: string | null;
  workspaceId?: string;
}

/** Tells the service a status as Twilio does, signed for the workspace unless told otherwise. */
export function callBack(
  url: string,
  workspace: Pick<WorkspaceFixture, 'workspaceId' | 'accountSid' | 'authToken'>,
  given: Fields,
  options: CallBackOptions = {},
): Promise<Answer> {
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
