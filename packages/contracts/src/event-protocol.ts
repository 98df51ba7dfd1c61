/** The subprotocol the server selects; a browser offers it with `bearer.<token>` after it. */
export const EVENTS_SUBPROTOCOL = 'messaging.v1';

/** Why the server closes a socket. */
export const CLOSE_CODES = {
  goingAway: 1001,
  credentialEnded: 4401,
  membershipEnded: 4403,
  tooSlow: 4408,
} as const;
