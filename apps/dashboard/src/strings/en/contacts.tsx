import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';

// contact-dialog.tsx
export const newContact = 'New contact';
export const contact = 'Contact';
export const name = 'Name';
export const number = 'Number';
export const tags = 'Tags';
export const tagsHint = (max: number) => `Separate tags with commas. At most ${formatCount(max)}.`;
export const tagsExample = 'customer, wholesale';
export const addField = 'Add a field';
export const deleteExplained = 'The name, tags and fields are deleted. The messages are kept.';
export const mergeWithAnother = 'Merge…';
export const saveAndMerge = 'Save and merge…';
export const addContact = 'Add contact';

// contact-fields.tsx
export const fields = 'Fields';
export const nameOfField = (position: number) => `Name of field ${formatCount(position)}`;
export const nameOfFieldExample = 'City';
export const valueOfField = (position: number) => `Value of field ${formatCount(position)}`;
export const valueOfFieldExample = 'Lisbon';
export const removeField = (position: number) => `Remove field ${formatCount(position)}`;

// contact-numbers.tsx
export const otherNumber = (position: number) => `Other number ${formatCount(position)}`;
export const removeOtherNumber = (position: number) =>
  `Remove other number ${formatCount(position)}`;
export const addANumber = 'Add a number';

// contacts-page.tsx
export const importTable = 'Import';
export const searchContacts = 'Search contacts';
export const searchContactsExample = 'Name, number, tag or field';
export const noContactsYet = 'No contacts yet';
export const noMatchingContacts = 'No matching contacts';
export const noContactsHint =
  'Add a contact to give a number a name, tags and fields, or import a CSV file.';
export const noMatchingContactsHint = 'No contact matches these words or digits.';
export const conversationWith = (name: string) => `Conversation with ${name}`;

// choose-contact.tsx
export const mergeWith = 'Merge with';
export const mergeWithHint =
  'The contact that you choose is merged into this one. In the next step, you decide what to keep.';
export const noOtherContactMatches = 'No other contact matches these words or digits.';
export const contactsToMergeWith = 'Contacts to merge with';

// merge-choices.tsx
export const mainNumber = 'Main number';
export const otherNumbers = 'Other numbers';
export const leaveOut = 'Leave out';

// merge-dialog.tsx
export const mergeContacts = 'Merge contacts';
export const merge = 'Merge';

export const deleteQuestion = (name: string) => `Delete ${name}?`;
export const becomeOne = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <>
    {first} and {second} become one contact. Messages and notes stay with their numbers. You can’t
    undo this.
  </>
);
