// phone-input.tsx
export const numberHint = 'With its country code, for example +1 415 555 0100';
export const numberHintIn = (country: string) =>
  `A number of ${country}, or with + and its country code`;
export const recipientHint = 'A contact’s name, or a number with its country code';
export const recipientHintIn = (country: string) =>
  `A contact’s name, a number of ${country}, or one with + and its country code`;

// phone-input.tsx, number-question.tsx
export const whichNumber = 'Which number do you mean?';

// read-typed-number.ts
export const oneNumber = 'Enter one phone number, for example (415) 555-0123.';
export const noExtension = 'Remove the extension. Text messages can’t reach it.';
export const countryCodeMissing =
  'Add + and the country code, for example +1 415 555 0123. Without it, numbers can be read when the workspace has a country, in Settings, General.';
export const notInCountry = (country: string) =>
  `Not a valid phone number of ${country}. Numbers of other countries need + and their country code.`;
