import { MESSAGE_STATUSES } from '@switchboard/contracts';
import * as strings from '#strings/messages';
import { useCountry } from '../phone/country-context.tsx';
import { Button } from '../ui/button.tsx';
import { SlidersHorizontal, X } from '../ui/icons.ts';
import { MultiSelect } from '../ui/multi-select.tsx';
import {
  CONTROL,
  Labeled,
  TextFilter,
  TimeFilter,
  checkCountryCodes,
  checkNumbers,
  checkReference,
  writeNumbers,
} from './filter-fields.tsx';
import {
  type MessageFilters,
  type MessageSearch,
  isFiltered,
  isInstant,
} from './message-filters.ts';
import { ProviderFilter, SenderFilter } from './id-filters.tsx';
import { statusLabel } from './status-badge.tsx';

const STATUS_OPTIONS = MESSAGE_STATUSES.map((status) => ({
  value: status,
  label: statusLabel(status),
}));
const NUMBERS = {
  className: '@5xl:max-w-36 @5xl:basis-23',
  type: 'tel',
  placeholder: '+1 555…',
} as const;

/** The filters of the history. They are part of the address, so that a view can be shared. */
export function FilterBar(props: {
  id: string;
  filters: MessageFilters;
  /** Narrow screens show the filters only when this is true. */
  isOpen: boolean;
  onChange(change: MessageSearch): void;
}) {
  const { id: barId, filters, isOpen, onChange } = props;
  const country = useCountry();
  const numbers = {
    ...NUMBERS,
    check: (text: string) => checkNumbers(text, country),
    write: (text: string) => writeNumbers(text, country),
  };
  return (
    <form
      id={barId}
      role="search"
      aria-label={strings.filterMessages}
      onSubmit={(event) => event.preventDefault()}
      // One row in windows of at least 1280 px, columns in narrower windows.
      className={`grid-cols-2 items-end gap-1.5 px-4 pb-3 sm:grid-cols-3 md:grid-cols-4 md:px-5 @5xl:flex @5xl:flex-wrap ${isOpen ? 'grid' : 'hidden'}`}
    >
      <MultiSelect
        label={strings.status}
        className="@5xl:max-w-32 @5xl:grow @5xl:basis-21"
        options={STATUS_OPTIONS}
        values={filters.status ?? []}
        onChange={(status) => onChange({ status: status.join(',') })}
      />
      <Labeled label={strings.direction} className="@5xl:max-w-28 @5xl:basis-24">
        {(id) => (
          <select
            id={id}
            className={CONTROL}
            value={filters.direction ?? ''}
            onChange={(event) => onChange({ direction: event.target.value })}
          >
            <option value="">{strings.both}</option>
            <option value="outbound">{strings.outbound}</option>
            <option value="inbound">{strings.inbound}</option>
          </select>
        )}
      </Labeled>
      <TextFilter
        label={strings.from}
        {...numbers}
        value={filters.from?.join(', ')}
        isFirst
        onChange={(from) => onChange({ from })}
      />
      <TextFilter
        label={strings.to}
        {...numbers}
        value={filters.to?.join(', ')}
        onChange={(to) => onChange({ to })}
      />
      <SenderFilter
        values={filters.sent_by ?? []}
        onChange={(senders) => onChange({ sent_by: senders.join(',') })}
      />
      <ProviderFilter
        values={filters.provider ?? []}
        onChange={(accounts) => onChange({ provider: accounts.join(',') })}
      />
      <TextFilter
        label={strings.countryCode}
        className="@5xl:max-w-24 @5xl:basis-20"
        placeholder="+49"
        value={filters.country_code?.map((code) => `+${code}`).join(', ')}
        check={checkCountryCodes}
        onChange={(country_code) => onChange({ country_code })}
      />
      <TextFilter
        label={strings.errorCode}
        className="@5xl:max-w-24 @5xl:basis-15"
        value={filters.error_code?.join(', ')}
        check={() => null}
        onChange={(error_code) => onChange({ error_code })}
      />
      <TextFilter
        label={strings.reference}
        className="@5xl:max-w-32 @5xl:basis-15"
        value={filters.reference}
        check={checkReference}
        write={(reference) => reference.trim()}
        onChange={(reference) => onChange({ reference })}
      />
      <TimeFilter
        label={isInstant(filters.startDate) ? strings.startTime : strings.firstDay}
        value={filters.startDate}
        onChange={(startDate) => onChange({ startDate })}
      />
      <TimeFilter
        label={isInstant(filters.endDate) ? strings.endTime : strings.lastDay}
        value={filters.endDate}
        onChange={(endDate) => onChange({ endDate })}
      />
      <ClearButton {...props} className="justify-self-start @5xl:hidden" />
    </form>
  );
}

/** Removes all filters. Hidden while no filter is set. */
export function ClearButton(props: {
  filters: MessageFilters;
  className: string;
  onChange(change: MessageSearch): void;
}) {
  if (!isFiltered(props.filters)) return null;
  return (
    <Button
      kind="quiet"
      size="small"
      className={props.className}
      onClick={() =>
        props.onChange({
          status: '',
          direction: '',
          from: '',
          to: '',
          error_code: '',
          sent_by: '',
          provider: '',
          country_code: '',
          reference: '',
          startDate: '',
          endDate: '',
        })
      }
    >
      <X size={14} aria-hidden />
      {strings.clear}
    </Button>
  );
}

export function FilterToggle(props: {
  controls: string;
  filters: MessageFilters;
  isOpen: boolean;
  onToggle(): void;
}) {
  const { page: _page, limit: _limit, ...set } = props.filters;
  const count = Object.keys(set).length;
  return (
    <Button
      size="small"
      className="@5xl:hidden"
      aria-expanded={props.isOpen}
      aria-controls={props.controls}
      onClick={props.onToggle}
    >
      <SlidersHorizontal size={14} aria-hidden />
      {count === 0 ? strings.filters : strings.filterCount(count)}
    </Button>
  );
}
