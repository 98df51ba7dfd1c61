/** PostgreSQL refuses NUL, and would silently store a lone surrogate as U+FFFD. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();
