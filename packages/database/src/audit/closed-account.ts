/** What stands in the place of the name of a user who has closed the account. */
export const CLOSED_ACCOUNT = 'Closed account';

// Also in the trigger `webhook_audit_recorded`.
const PREFIX = 'closed:';

/** Returns what replaces the address. It is none, so that no person signs up or in with it. */
export const closedAddressOf = (userId: string): string => PREFIX + userId;

export const toShownAddress = (email: string): string =>
  email.startsWith(PREFIX) ? CLOSED_ACCOUNT : email;
