import type { PageResponse } from '@switchboard/contracts';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/settings';
import { Button } from '../ui/button.tsx';
import { LoadFailure, Skeleton } from '../ui/notice.tsx';
import { RowList } from '../ui/row-list.tsx';

/**
 * A section of the settings with a title. What follows it is shown when it has loaded: a button that moves while the content
 * above arrives would lose the click on it.
 */
export function Section(props: {
  title: string;
  about?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="not-first:mt-8 has-data-skeleton:[&~:not(:focus-within)]:hidden"
    >
      <div className="mb-3">
        <div className="flex items-center justify-between gap-4">
          <h2 id={titleId} className="text-base font-semibold">
            {props.title}
          </h2>
          {props.action}
        </div>
        {props.about !== undefined && <p className="mt-0.5 max-w-prose text-soft">{props.about}</p>}
      </div>
      {props.children}
    </section>
  );
}

/** A paginated list with its loading, error and empty states. */
export function ListCard<Item>(props: {
  query: UseQueryResult<PageResponse<Item>>;
  empty: ReactNode;
  /** Returns the text for a number of items, for example `3 keys`. */
  count(items: number): string;
  onPage(page: number): void;
  /** Returns the cells of a copied row. */
  toCells(item: Item): readonly string[];
  children(item: Item): ReactNode;
}) {
  const { onPage } = props;
  const { data, error, refetch } = props.query;
  const lastPage = data?.pagination.totalPages ?? 0;
  const isBeyondLast = lastPage > 0 && (data?.pagination.currentPage ?? 0) > lastPage;
  // After the removal of the last entry of the last page, `page` is beyond the end.
  useEffect(() => {
    if (isBeyondLast) onPage(lastPage);
  }, [isBeyondLast, lastPage, onPage]);
  if (data === undefined) {
    return error === null ? (
      <Skeleton lines={3} height="h-14" />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    );
  }
  const { currentPage, totalItems, totalPages, hasNext } = data.pagination;
  return (
    <>
      {data.data.length === 0 ? (
        <div className="card">{props.empty}</div>
      ) : (
        <RowList className="card divide-y divide-line" items={data.data} toCells={props.toCells}>
          {(item) => props.children(item)}
        </RowList>
      )}
      {totalPages > 1 && (
        <nav aria-label={strings.pages} className="mt-3 flex items-center gap-2 text-soft">
          <span className="mr-auto">{props.count(totalItems)}</span>
          <Button
            size="small"
            disabled={currentPage <= 1}
            onClick={() => props.onPage(currentPage - 1)}
          >
            {actions.previous}
          </Button>
          <Button size="small" disabled={!hasNext} onClick={() => props.onPage(currentPage + 1)}>
            {actions.next}
          </Button>
        </nav>
      )}
    </>
  );
}

export function ListRow(props: {
  title: ReactNode;
  about?: ReactNode;
  /** The actions. */
  children?: ReactNode;
  /** Spans the row. */
  below?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-40">
        <div className="flex flex-wrap items-center gap-x-2 font-medium [overflow-wrap:anywhere]">
          {props.title}
        </div>
        {props.about !== undefined && <p className="text-[0.8125rem] text-faint">{props.about}</p>}
      </div>
      {/* The actions move to the next line together. */}
      <div className="flex flex-wrap items-center gap-2 empty:hidden">{props.children}</div>
      {props.below}
    </li>
  );
}

export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="rounded-full bg-sunken px-2 py-0.5 text-xs font-medium text-soft">
      {children}
    </span>
  );
}
