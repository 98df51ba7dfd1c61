interface FieldText {
  /** The name of the API parameter. */
  name: string;
  label: string;
  hint: string;
  isOptional?: true;
  /** Most accounts keep the default, so the form shows the field only on request. */
  isAdvanced?: true;
}

interface TextField extends FieldText {
  kind?: 'text';
  isSecret?: true;
  /** The value has several lines. */
  isLong?: true;
  /** The value is a JSON object. */
  isJson?: true;
  initial?: string;
}

interface NumberField extends FieldText {
  kind: 'number';
  min: number;
  max: number;
  initial?: number;
}

interface ChoiceField extends FieldText {
  kind: 'choice';
  /** The values of the API with their labels. The first one is the default. */
  choices: readonly (readonly [value: string, label: string])[];
}

interface SwitchField extends FieldText {
  kind: 'switch';
  initial: boolean;
}

/** A field of the form for the credentials of an account. */
export type CredentialField = TextField | NumberField | ChoiceField | SwitchField;

export type CredentialValue = string | number | boolean;

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
