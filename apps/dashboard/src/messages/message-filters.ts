import {
  type Direction,
  type Message,
  type MessageStatus,
  PAGE_SIZE_DEFAULT,
  isMessageStatus,
} from '@switchboard/contracts';

/** The filters of the history in the address. Days are in the user's time zone. */
const NAMES = [
  'page',
  'limit',
  'direction',
  'status',
  'from',
  'to',
  'error_code',
  'startDate',
  'endDate',
] as const;

export type MessageSearch = Partial<Record<(typeof NAMES)[number], string>>;

export interface MessageFilters {
  page: number;
  limit: number;
  direction?: Direction;
  status?: MessageStatus;
  from?: string;
  to?: string;
  error_code?: string;
  /** The first day, for example `2026-11-20`, or the first instant. */
  startDate?: string;
  /** The last day, or the instant after the last one. */
  endDate?: string;
}

export const PAGE_SIZES = [25, 50, 100] as const;

/** Returns the filters in the address and drops other parameters. */
export function parseMessageSearch(search: Record<string, unknown>): MessageSearch {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/** Parses the filters and leaves out invalid values. */
export function readFilters(search: MessageSearch): MessageFilters {
  const { direction, status, error_code, startDate, endDate } = search;
  const page = Number(search.page);
  const limit = Number(search.limit);
  const from = toNumber(search.from);
  const to = toNumber(search.to);
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    limit: PAGE_SIZES.find((size) => size === limit) ?? PAGE_SIZE_DEFAULT,
    ...((direction === 'inbound' || direction === 'outbound') && { direction }),
    ...(isMessageStatus(status) && { status }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(error_code !== undefined && { error_code }),
    ...(isDayOrInstant(startDate) && { startDate }),
    ...(isDayOrInstant(endDate) && { endDate }),
  };
}

export function isFiltered({ page: _page, limit: _limit, ...filters }: MessageFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** Returns the query of the API, where dates are instants and both bounds are exclusive. */
export function toHistoryQuery({ startDate, endDate, ...others }: MessageFilters) {
  return {
    ...others,
    ...(startDate !== undefined && { startDate: new Date(startOf(startDate).getTime() - 1) }),
    ...(endDate !== undefined && { endDate: endOf(endDate) }),
  };
}

/** Returns whether a live message matches the filters. */
export function matchesFilters(message: Message, filters: MessageFilters): boolean {
  const at = new Date(message.created_at);
  return (
    (filters.direction === undefined || filters.direction === message.direction) &&
    (filters.status === undefined || filters.status === message.status) &&
    (filters.from === undefined || filters.from === message.from) &&
    (filters.to === undefined || filters.to === message.to) &&
    (filters.error_code === undefined || filters.error_code === message.error_code) &&
    (filters.startDate === undefined || at >= startOf(filters.startDate)) &&
    (filters.endDate === undefined || at < endOf(filters.endDate))
  );
}

/** Normalizes a number to the stored format: `+1 (415) 555-0100` becomes `+14155550100`. */
function toNumber(value: string | undefined): string {
  const digits = (value ?? '').replaceAll(/[^\d]/g, '');
  return digits === '' ? '' : `+${digits}`;
}

function isDayOrInstant(value: string | undefined): value is string {
  return (
    value !== undefined &&
    /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** The bars of the overview link to instants, because a bar may be an hour. */
export const isInstant = (value: string | undefined): boolean => value?.includes('T') === true;

const startOf = (value: string): Date => new Date(isInstant(value) ? value : `${value}T00:00`);

function endOf(value: string): Date {
  if (isInstant(value)) return new Date(value);
  const next = startOf(value);
  next.setDate(next.getDate() + 1);
  return next;
}
