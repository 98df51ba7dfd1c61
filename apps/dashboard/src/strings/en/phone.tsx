// phone-input.tsx
export const numberHint = 'With its country code, for example +1 415 555 0100';
export const recipientHint = 'A contact’s name, or a number with its country code';

// read-phone.ts
export const oneNumber = 'Enter one phone number, for example (415) 555-0123.';
export const noExtension = 'Remove the extension. Text messages can’t reach it.';
