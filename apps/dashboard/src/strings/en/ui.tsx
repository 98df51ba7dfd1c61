// copy-button.tsx
export const copiedNamed = (label: string) => `${label}: copied`;
export const copied = 'Copied';
export const notCopiedNamed = (label: string) => `${label}: not copied`;
export const notCopied = 'Not copied';
export const copy = 'Copy';

// credential-fields.tsx
export const email = 'Email';
export const password = 'Password';

// multi-select.tsx
export const any = 'Any';
export const noOptions = 'No options.';

// lazy-view.tsx
export const partNotLoaded = 'This part could not be loaded';

// notice.tsx
export const pageNotLoaded = 'This page could not be loaded';

// use-title.ts
export const titleInTestMode = (title: string) => `${title} (test mode)`;
export const pageTitle = (title: string) => `${title} · Switchboard`;
export const unreadPageTitle = ({ unread, title }: { unread: string; title: string }) =>
  `(${unread}) ${title} · Switchboard`;

// local-time-field.tsx, filter-fields.tsx
export const inTimeZone = (timeZone: string) => `In your time zone, ${timeZone}.`;
export const inZone = ({ label, timeZone }: { label: string; timeZone: string }) =>
  `${label} (${timeZone})`;
export const skippedTime =
  'This time does not exist: clocks are set forward then. Choose an earlier or a later time.';
export const repeatedTime = 'This time occurs twice';
