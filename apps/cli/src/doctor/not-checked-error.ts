/** A check can't run because of a problem that another check reports. */
export class NotCheckedError extends Error {
  override readonly name = 'NotCheckedError';
}
