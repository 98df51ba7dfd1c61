/** The WebSocket subprotocol of the server; a browser offers it followed by `bearer.<token>`. */
export const EVENTS_SUBPROTOCOL = 'messaging.v1';

/** How often a client may ask for a heartbeat. */
export const HEARTBEAT_SECONDS = { min: 5, max: 60 } as const;

/** Why the server closes a socket. */
export const CLOSE_CODES = {
  goingAway: 1001,
  sendsTooMuch: 1008,
  credentialEnded: 4401,
  membershipEnded: 4403,
  tooSlow: 4408,
} as const;
