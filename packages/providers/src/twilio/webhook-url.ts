/**
 * Asks Twilio to retry a webhook five times whatever went wrong. Without it Twilio retries once, and
 * only when the connection failed. Twilio stores the fragment, but neither sends nor signs it:
 * https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
 */
export const CONNECTION_OVERRIDES = '#rc=5&rp=all';

/** Returns the `SmsUrl` that every number of a workspace must have. */
export function toInboundUrl(publicUrl: string, workspaceId: string): string {
  return `${publicUrl}/api/webhooks/twilio/${workspaceId}/inbound${CONNECTION_OVERRIDES}`;
}
