// phone-input.tsx
export const numberHint = 'With country code, such as +1 415 555 0100';
export const recipientHint = 'The name of a contact, or a number with country code';

// read-phone.ts
export const oneNumber = 'Enter one phone number, for example (415) 555-0123.';
export const noExtension = 'Remove the extension. Text messages can’t reach it.';
