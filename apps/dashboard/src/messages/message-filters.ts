import {
  type Direction,
  FILTER_VALUES_MAX,
  type Message,
  type MessageStatus,
  PAGE_SIZE_DEFAULT,
  REFERENCE_MAX_CHARACTERS,
  isMessageStatus,
  readCountryCode,
} from '@switchboard/contracts';
import { digitsOf } from '../phone/group-while-typing.ts';

/** The filters of the history in the address. Days are in the user's time zone. */
const NAMES = [
  'page',
  'limit',
  'direction',
  'status',
  'from',
  'to',
  'error_code',
  'sent_by',
  'provider',
  'country_code',
  'reference',
  'startDate',
  'endDate',
] as const;

export type MessageSearch = Partial<Record<(typeof NAMES)[number], string>>;

export interface MessageFilters {
  page: number;
  limit: number;
  direction?: Direction;
  status?: MessageStatus[];
  from?: string[];
  to?: string[];
  error_code?: string[];
  /** Ids of members and of API keys. */
  sent_by?: string[];
  /** Ids of provider accounts. */
  provider?: string[];
  country_code?: string[];
  /** One reference, which may have commas. */
  reference?: string;
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

/** Parses the filters and leaves out invalid values. Several values are separated by commas. */
export function readFilters(search: MessageSearch): MessageFilters {
  const { direction, reference, startDate, endDate } = search;
  const page = Number(search.page);
  const limit = Number(search.limit);
  const lists = {
    status: listOf(search.status).filter(isMessageStatus),
    from: listOf(search.from).flatMap(toNumber),
    to: listOf(search.to).flatMap(toNumber),
    error_code: listOf(search.error_code).filter((code) => code.length <= 64),
    sent_by: listOf(search.sent_by).filter((id) => UUID.test(id)),
    provider: listOf(search.provider).filter((id) => UUID.test(id)),
    country_code: listOf(search.country_code?.replaceAll('+', '')).filter(isCountryCode),
  };
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    limit: PAGE_SIZES.find((size) => size === limit) ?? PAGE_SIZE_DEFAULT,
    ...((direction === 'inbound' || direction === 'outbound') && { direction }),
    ...withoutEmpty(lists),
    ...(isReference(reference) && { reference }),
    ...(isDayOrInstant(startDate) && { startDate }),
    ...(isDayOrInstant(endDate) && { endDate }),
  };
}

const isReference = (value: string | undefined): value is string =>
  value !== undefined && value !== '' && value.length <= REFERENCE_MAX_CHARACTERS;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function listOf(value: string | undefined): string[] {
  const values = (value ?? '').split(',').map((each) => each.trim());
  return [...new Set(values)].filter((each) => each !== '').slice(0, FILTER_VALUES_MAX);
}

function withoutEmpty<Lists extends Record<string, readonly string[]>>(lists: Lists) {
  const given = Object.entries(lists).filter(([, values]) => values.length > 0);
  return Object.fromEntries(given) as Partial<Lists>;
}

export function isFiltered({ page: _page, limit: _limit, ...filters }: MessageFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** Writes the filters without the page in the form of the address, always in the same order. */
export function writeFilters(filters: MessageFilters): MessageSearch {
  const texts = NAMES.flatMap((name) => {
    const value = name === 'page' || name === 'limit' ? undefined : filters[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(texts) as MessageSearch;
}

/** Returns the query of the API, where dates are instants and both bounds are exclusive. */
export function toHistoryQuery(filters: MessageFilters) {
  const { page, limit } = filters;
  return { page, limit, ...toFilterQuery(filters) };
}

/** Returns the filters without the page. */
export function toFilterQuery({ startDate, endDate, ...filters }: MessageFilters) {
  const { page: _page, limit: _limit, ...others } = filters;
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
    isOneOf(message.status, filters.status) &&
    isOneOf(message.from, filters.from) &&
    isOneOf(message.to, filters.to) &&
    isOneOf(message.error_code, filters.error_code) &&
    isOneOf(message.sent_by?.id ?? null, filters.sent_by) &&
    isOneOf(message.provider?.id ?? null, filters.provider) &&
    isOneOf(countryCodeOf(message), filters.country_code) &&
    (filters.reference === undefined || filters.reference === message.reference) &&
    (filters.startDate === undefined || at >= startOf(filters.startDate)) &&
    (filters.endDate === undefined || at < endOf(filters.endDate))
  );
}

/** The country code of the number outside the workspace. */
function countryCodeOf({ direction, from, to }: Message): string | null {
  return readCountryCode((direction === 'inbound' ? from : to) ?? '');
}

export const isCountryCode = (code: string): boolean =>
  readCountryCode(`+${code}00000000`) === code;

function isOneOf(value: string | null, values: readonly string[] | undefined): boolean {
  return values === undefined || (value !== null && values.includes(value));
}

/** Normalizes a number to the stored format: `+1 (415) 555-0100` becomes `+14155550100`. */
function toNumber(value: string): string[] {
  const digits = digitsOf(value);
  return digits === '' ? [] : [`+${digits}`];
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
