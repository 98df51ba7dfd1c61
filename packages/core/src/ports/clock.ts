/** Time as a dependency, so that tests can move it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds that never go back and do not follow the wall clock. */
  monotonic(): number;
}
