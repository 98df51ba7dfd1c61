/** Zero-width and control characters count as invisible, as whitespace does. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

/** Trims a name. A name without a visible character is empty. */
export const trimName = (name: string): string => (VISIBLE.test(name) ? name.trim() : '');
