// search-dialog.tsx
export const searchEverything = 'Search messages, contacts and conversations';
export const searchEverythingExample = 'Words from a message, a name, or part of a number';

// search-results.tsx
export const typeAtLeastTwoCharacters = 'Type at least two characters.';
export const nothingFound = 'Nothing found';
export const nothingFoundHint =
  'No message contains all these words, and no contact or number matches.';
export const noMatchesInNewestMessages = 'No matches in the newest messages.';
export const searching = 'Searching…';
export const searchOlderMessages = 'Search older messages';
export const from = 'From';
export const to = 'To';
