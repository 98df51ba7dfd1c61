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

/** A form for one kind of credentials. */
export interface CredentialForm {
  name: string;
  about: string;
  fields: readonly CredentialField[];
  /** Returns the credentials for the API; undefined if nothing was entered. */
  toCredentials(
    values: Readonly<Record<string, CredentialValue | undefined>>,
  ): Record<string, unknown> | undefined;
}

/** How the dashboard describes a vendor, and asks for the credentials of an account. */
export interface VendorForm {
  name: string;
  /** Describes the account. */
  about: string;
  /** The steps before the form can be filled in, in order. */
  steps?: readonly string[];
  /** The URL of the console in which the steps are done. */
  consoleUrl?: string;
  /** The step for the webhook URLs, if the owner enters them in the provider's console. */
  webhookStep?: string;
  fields: readonly CredentialField[];
  /** Forms to choose from in place of `fields`, and the one that changes an account. */
  forms?: { add: readonly [CredentialForm, ...CredentialForm[]]; change: CredentialForm };
  /** The credentials that a list shows, if it must not show all of them. */
  summary?: readonly string[];
  /** The provider cannot prove whether it has a message whose response was lost. */
  isWithoutEvidence?: true;
  /** The API can list the numbers that an account owns, or can with the credential of this name. */
  listsNumbers?: true | string;
  /** A change without a secret keeps the stored one. */
  keepsSecrets?: true;
}
