import { MESSAGE_STATUSES } from '@switchboard/contracts';
import { SlidersHorizontal, X } from '../ui/icons.ts';
import { type ReactNode, useId } from 'react';
import { Button } from '../ui/button.tsx';
import { type MessageFilters, type MessageSearch, isFiltered } from './message-filters.ts';
import { statusWord } from './status-badge.tsx';

const CONTROL = 'field h-9 min-w-0 py-1';

/** All filters of the history. They live in the address: a view can be kept, shared, gone back to. */
export function FilterBar(props: {
  id: string;
  filters: MessageFilters;
  /** Where there is little room they are out of the way until asked for. */
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
                {statusWord(status)}
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
      <Labelled label="First day" className="w-36">
        {(id) => (
          <input
            id={id}
            type="date"
            className={CONTROL}
            value={filters.startDate ?? ''}
            max={filters.endDate}
            onChange={(event) => onChange({ startDate: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="Last day" className="w-36">
        {(id) => (
          <input
            id={id}
            type="date"
            className={CONTROL}
            value={filters.endDate ?? ''}
            min={filters.startDate}
            onChange={(event) => onChange({ endDate: event.target.value })}
          />
        )}
      </Labelled>
      <Button
        kind="quiet"
        className={isFiltered(filters) ? '' : 'invisible'}
        onClick={() =>
          onChange({ status: '', direction: '', from: '', to: '', startDate: '', endDate: '' })
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

/** Takes effect when it is left or Enter is pressed: half a number matches nothing. */
function NumberFilter(props: {
  label: string;
  value: string | undefined;
  isFirst?: boolean;
  onChange(value: string): void;
}) {
  const commit = (value: string): void => {
    if (value !== (props.value ?? '')) props.onChange(value);
  };
  return (
    <Labelled label={props.label} className="w-38">
      {(id) => (
        <input
          // The address may change from elsewhere: back, clear.
          key={props.value}
          id={id}
          type="tel"
          placeholder="+1 555 123 4567"
          className={CONTROL}
          defaultValue={props.value}
          data-find={props.isFirst === true || undefined}
          onBlur={(event) => commit(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit(event.currentTarget.value);
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
      )}
    </Labelled>
  );
}
