import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// filter-bar.tsx
export const filterMessages = 'Filter messages';
export const status = 'Status';
export const direction = 'Direction';
export const both = 'Both';
export const outbound = 'Outbound';
export const inbound = 'Inbound';
export const from = 'From';
export const to = 'To';
export const countryCode = 'Country code';
export const errorCode = 'Error code';
export const reference = 'Reference';
export const startTime = 'Start time';
export const firstDay = 'First day';
export const endTime = 'End time';
export const lastDay = 'Last day';
export const clear = 'Clear';
export const filters = 'Filters';
export const filterCount = (count: number) => `Filters (${formatCount(count)})`;

// filter-fields.tsx
export const writeOneOf = (numbers: readonly string[]) =>
  `Write the number with + and its country code: ${numbers.join(', or ')}.`;
export const referenceTooLong = (max: number) =>
  `A reference has at most ${formatCount(max)} characters.`;
export const countryCodesInvalid = 'Enter country codes, for example +49.';

// id-filters.tsx
export const sentBy = 'Sent by';
export const provider = 'Provider';
export const removedAccount = 'A removed account';

// message-row.tsx
export const notChosenYet = 'not chosen yet';

// message-table.tsx
export const message = 'Message';
export const time = 'Time';

// messages-page.tsx
export const noMatchingMessages = 'No matching messages';
export const noMessageMatchesTheseFilters = 'No message matches these filters.';
export const showAllMessages = 'Show all messages';
export const noMessagesYet = 'No messages yet';
export const noMessagesYetHint = 'Sent and received messages appear here immediately.';

// pager.tsx
export const pages = 'Pages';
export const shownRows = ({ first, last, total }: { first: string; last: string; total: string }) =>
  `${first}–${last} of ${total}`;
export const rows = 'Rows';
export const previousPage = 'Previous page';
export const nextPage = 'Next page';

// status-badge.tsx
export const scheduled = 'Scheduled';
export const queued = 'Queued';
export const sending = 'Sending';
export const sent = 'Sent';
export const delivered = 'Delivered';
export const read = 'Read';
export const received = 'Received';
export const undelivered = 'Undelivered';
export const failed = 'Failed';
export const canceled = 'Canceled';

// view-dialog.tsx
export const newView = 'New view';
export const view = 'View';
export const name = 'Name';
export const nameHint = 'Everyone in the workspace can see the view.';
export const deleteExplained = 'Members can no longer open the view. The messages are kept.';

// view-menu.tsx
export const views = 'Views';
export const savedViews = 'Saved views';
export const edit = (name: string) => `Edit ${name}`;
export const noSavedViewsYet = 'No saved views yet.';
export const saveTheseFilters = 'Save these filters';
export const setFiltersFirst = 'Set filters to save them as a view.';

/** What a screen reader says for a row. `who` is a number, after its contact’s name if it has one. */
export const rowFrom = ({ who, status }: Row) => `From ${who}, ${status}`;
export const rowTo = ({ who, status }: Row) => `To ${who}, ${status}`;
export const willBeSent = ({ hidden, time }: { hidden: Wrap; time: ReactNode }) => (
  <>
    {hidden('Will be sent ')}
    {time}
  </>
);
export const attached = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} attachment`,
    other: `${formatCount(count)} attachments`,
  });
export const stop = (size: ReactNode) => <>Stop {size}</>;
export const newMessages = (count: number) =>
  plural(count, {
    one: `${formatCount(count)} new message`,
    other: `${formatCount(count)} new messages`,
  });
/** Narrow screens show only the number. */
export const page = ({ narrow, page }: { narrow: Wrap; page: number }) => (
  <>
    {narrow('Page ')}
    {formatCount(page)}
  </>
);
export const replaceFilters = 'Replace the saved filters with the current filters';
export const deleteViewQuestion = (name: string) => `Delete “${name}”?`;

type Wrap = (text: string) => ReactNode;

interface Row {
  who: string;
  status: string;
}
