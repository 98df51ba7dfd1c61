/**
 * What the service does not stand yet of an ordinary run. It is switched on with the change that
 * makes the service stand it, and this file goes then.
 */
export const PARTS = {
  /** Media that differ where texts do not, texts that the carrier changes, and its wrong clock. */
  changedTexts: false,
};
