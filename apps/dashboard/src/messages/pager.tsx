import type { MessageList } from '@switchboard/contracts';
import * as strings from '#strings/messages';
import { ChevronLeft, ChevronRight } from '../ui/icons.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { type MessageFilters, PAGE_SIZES } from './message-filters.ts';

export function Pager(props: {
  pagination: MessageList['pagination'] | undefined;
  filters: MessageFilters;
  shown: number;
  onPage(page: number): void;
  onLimit(limit: number): void;
}) {
  const { pagination, filters, shown } = props;
  const { page, limit } = filters;
  const first = (page - 1) * limit + 1;
  const total = pagination?.totalMessages ?? 0;
  const pages = pagination?.totalPages ?? 0;

  return (
    <nav
      aria-label={strings.pages}
      className="flex h-12 shrink-0 items-center gap-2 border-t border-line bg-surface px-4 text-[0.8125rem] text-soft md:px-5"
    >
      <span className="tabular-nums">
        {shown === 0
          ? ''
          : strings.shownRows({
              first: formatCount(first),
              last: formatCount(first + shown - 1),
              total: formatCount(total),
            })}
      </span>
      <label className="ml-auto flex items-center gap-2">
        <span className="max-sm:sr-only">{strings.rows}</span>
        <select
          className="field h-8 min-h-8 w-auto py-0.5"
          value={limit}
          onChange={(event) => props.onLimit(Number(event.target.value))}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <Button
        size="icon"
        kind="quiet"
        aria-label={strings.previousPage}
        disabled={page <= 1}
        onClick={() => props.onPage(Math.max(1, Math.min(page - 1, pages)))}
      >
        <ChevronLeft size={17} aria-hidden />
      </Button>
      <span className="tabular-nums">
        {strings.page({
          narrow: (text) => <span className="max-sm:sr-only">{text}</span>,
          page,
        })}
        {pages > 0 && <span className="text-faint"> / {formatCount(pages)}</span>}
      </span>
      <Button
        size="icon"
        kind="quiet"
        aria-label={strings.nextPage}
        disabled={page >= pages}
        onClick={() => props.onPage(page + 1)}
      >
        <ChevronRight size={17} aria-hidden />
      </Button>
    </nav>
  );
}
