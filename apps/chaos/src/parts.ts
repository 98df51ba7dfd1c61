/**
 * Parts of an ordinary run that the service does not stand yet. Each is switched on with the change
 * that makes it stand it, and leaves this file then.
 */
export const PARTS = {
  /** Media that differ where texts do not, and texts and answers that the carrier changes. */
  changedTexts: false,
  outages: false,
  frozenApi: true,
  clocks: false,
  restore: true,
};
