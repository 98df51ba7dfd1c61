import { MESSAGE_STATUSES } from '@switchboard/contracts';
import { SlidersHorizontal, X } from '../ui/icons.ts';
import { type ReactNode, useId } from 'react';
import { readPhone } from '../phone/read-phone.ts';
import { Button } from '../ui/button.tsx';
import { toLocalInput } from '../ui/local-input.ts';
import {
  type MessageFilters,
  type MessageSearch,
  isFiltered,
  isInstant,
} from './message-filters.ts';
import { statusLabel } from './status-badge.tsx';

const CONTROL = 'field h-9 min-w-0 py-1';

/** The filters of the history. They are part of the address, so that a view can be shared. */
export function FilterBar(props: {
  id: string;
  filters: MessageFilters;
  /** Narrow screens show the filters only when this is true. */
  isOpen: boolean;
  onChange(change: MessageSearch): void;
}) {
  const { id: barId, filters, isOpen, onChange } = props;
  return (
    <form
      id={barId}
      role="search"
      aria-label="Filter messages"
      onSubmit={(event) => event.preventDefault()}
      className={`flex-wrap items-end gap-2 px-4 pb-3 md:px-5 @5xl:flex ${isOpen ? 'flex' : 'hidden'}`}
    >
      <Labelled label="Status" className="w-34">
        {(id) => (
          <select
            id={id}
            className={CONTROL}
            value={filters.status ?? ''}
            onChange={(event) => onChange({ status: event.target.value })}
          >
            <option value="">Any</option>
            {MESSAGE_STATUSES.map((status) => (
              <option key={status} value={status}>
                {statusLabel(status)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label="Direction" className="w-30">
        {(id) => (
          <select
            id={id}
            className={CONTROL}
            value={filters.direction ?? ''}
            onChange={(event) => onChange({ direction: event.target.value })}
          >
            <option value="">Both</option>
            <option value="outbound">Outbound</option>
            <option value="inbound">Inbound</option>
          </select>
        )}
      </Labelled>
      <NumberFilter
        label="From"
        value={filters.from}
        isFirst
        onChange={(from) => onChange({ from })}
      />
      <NumberFilter label="To" value={filters.to} onChange={(to) => onChange({ to })} />
      {filters.error_code !== undefined && (
        <Labelled label="Error code" className="w-28">
          {(id) => <input id={id} readOnly className={CONTROL} value={filters.error_code} />}
        </Labelled>
      )}
      <TimeFilter
        label={isInstant(filters.startDate) ? 'From time' : 'First day'}
        value={filters.startDate}
        onChange={(startDate) => onChange({ startDate })}
      />
      <TimeFilter
        label={isInstant(filters.endDate) ? 'Before time' : 'Last day'}
        value={filters.endDate}
        onChange={(endDate) => onChange({ endDate })}
      />
      <Button
        kind="quiet"
        className={isFiltered(filters) ? '' : 'invisible'}
        onClick={() =>
          onChange({
            status: '',
            direction: '',
            from: '',
            to: '',
            error_code: '',
            startDate: '',
            endDate: '',
          })
        }
      >
        <X size={15} aria-hidden />
        Clear
      </Button>
    </form>
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
      {count === 0 ? 'Filters' : `Filters (${count})`}
    </Button>
  );
}

function Labelled(props: { label: string; className: string; children(id: string): ReactNode }) {
  const id = useId();
  return (
    <div className={props.className}>
      <label htmlFor={id} className="mb-0.5 block text-xs font-medium text-faint">
        {props.label}
      </label>
      {props.children(id)}
    </div>
  );
}

/** A date input, or a local date and time if the address contains an instant. */
function TimeFilter(props: {
  label: string;
  value: string | undefined;
  onChange(value: string): void;
}) {
  const { label, value, onChange } = props;
  const hasTime = isInstant(value);
  return (
    <Labelled label={label} className={hasTime ? 'w-48' : 'w-36'}>
      {(id) => (
        <input
          id={id}
          type={hasTime ? 'datetime-local' : 'date'}
          className={CONTROL}
          value={hasTime ? toLocalInput(Date.parse(value ?? '')) : (value ?? '')}
          onChange={({ target }) =>
            onChange(
              hasTime && target.value !== '' ? new Date(target.value).toISOString() : target.value,
            )
          }
        />
      )}
    </Labelled>
  );
}

/** Applies the number on blur or Enter, because a partial number matches nothing. */
function NumberFilter(props: {
  label: string;
  value: string | undefined;
  isFirst?: boolean;
  onChange(value: string): void;
}) {
  const commit = (input: HTMLInputElement): void => {
    const { value } = input;
    const reading = readPhone(value);
    const isInvalid = reading.kind === 'invalid' || reading.kind === 'unfinished';
    input.setCustomValidity(isInvalid ? reading.message : '');
    // A bubble, because a line below the field would move the list.
    if (!input.reportValidity()) return;
    if (value !== (props.value ?? '')) props.onChange(value);
  };
  return (
    <Labelled label={props.label} className="w-38">
      {(id) => (
        <input
          // The address may also change by Back or Clear.
          key={props.value}
          id={id}
          type="tel"
          placeholder="+1 555 123 4567"
          className={CONTROL}
          defaultValue={props.value}
          data-find={props.isFirst === true || undefined}
          onBlur={(event) => commit(event.currentTarget)}
          onInput={(event) => event.currentTarget.setCustomValidity('')}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit(event.currentTarget);
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
      )}
    </Labelled>
  );
}
