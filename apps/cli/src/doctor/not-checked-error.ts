/** Thrown if a check cannot run because of a problem that another check reports. */
export class NotCheckedError extends Error {
  override readonly name = 'NotCheckedError';
}
