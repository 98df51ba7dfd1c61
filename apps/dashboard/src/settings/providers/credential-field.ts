import type { CredentialField, CredentialValue } from '@switchboard/providers/forms';

/** Returns the entered value for the API; null for an empty field. */
export function readCredential(form: FormData, field: CredentialField): CredentialValue | null {
  const value = form.get(field.name);
  if (field.kind === 'switch') return value !== null;
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') return null;
  return field.kind === 'number' ? Number(text) : text;
}

export function isSecret(field: CredentialField): boolean {
  return 'isSecret' in field && field.isSecret;
}
