/** The times of a session, in milliseconds. */
export interface Timings {
  /** Limit for the response to a bind. */
  bindTimeoutMs: number;
  /** Limit for the response to an unbind. Nothing else is pending then. */
  unbindTimeoutMs: number;
  /** How long the response to an unbind of the SMSC waits for the responses to what was sent. */
  unboundGraceMs: number;
  /** An enquire_link is sent when nothing has arrived for this long. */
  enquireLinkMs: number;
  /** Limit for the response to an enquire_link. */
  enquireTimeoutMs: number;
  /** Pauses before a new connection. They double with each failure. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** The pause after refused credentials: an SMSC may lock an account after several wrong passwords. */
  refusedPauseMs: number;
  /** The pause before a throttled part is written again, after earlier parts were accepted. */
  throttledPauseMs: number;
}

export const TIMINGS: Timings = {
  bindTimeoutMs: 10_000,
  unbindTimeoutMs: 1_000,
  unboundGraceMs: 5_000,
  enquireLinkMs: 30_000,
  enquireTimeoutMs: 10_000,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  refusedPauseMs: 300_000,
  throttledPauseMs: 1_000,
};
