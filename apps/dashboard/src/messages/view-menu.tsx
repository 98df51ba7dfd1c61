import type { SavedView } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import * as strings from '#strings/messages';
import { useApi } from '../api/api-context.tsx';
import { savedViewsQuery } from '../api/workspace-queries.ts';
import { Button } from '../ui/button.tsx';
import { DropDown } from '../ui/drop-down.tsx';
import { Bookmark, Check, ChevronsUpDown, PenLine, Plus } from '../ui/icons.ts';
import { lazyDialog } from '../ui/lazy-view.tsx';
import {
  type MessageFilters,
  isFiltered,
  parseMessageSearch,
  readFilters,
  writeFilters,
} from './message-filters.ts';
import { IfMay } from '../session/use-may.tsx';

const ViewDialog = lazyDialog(() =>
  import('./view-dialog.tsx').then((module) => module.ViewDialog),
);

/** Opens a saved view, or saves the current filters as one. */
export function ViewMenu(props: { workspaceId: string; filters: MessageFilters }) {
  const { workspaceId, filters } = props;
  const api = useApi();
  const id = useId();
  const [edited, setEdited] = useState<Partial<SavedView> | null>(null);
  const { data } = useQuery(savedViewsQuery(api, workspaceId));
  const views = data?.data ?? [];
  const shown = JSON.stringify(writeFilters(filters));
  const current = views.find(
    (view) => JSON.stringify(writeFilters(readFilters(parseMessageSearch(view.filters)))) === shown,
  );
  const row =
    'flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-lg px-2.5 py-1.5 text-left hover:bg-sunken';
  return (
    <>
      <DropDown
        id={`${id}-views`}
        className="sm:relative"
        contentClass="max-sm:inset-x-4 sm:right-0 sm:w-72"
        labelledBy={id}
        button={(attributes) => (
          <Button {...attributes} id={id} size="small" className="max-w-44">
            <Bookmark size={14} aria-hidden className="shrink-0" />
            <span dir="auto" className="truncate max-sm:sr-only">
              {current?.name ?? strings.views}
            </span>
            <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-faint" />
          </Button>
        )}
      >
        {(close) => (
          <>
            <ul aria-label={strings.savedViews}>
              {views.map((view) => (
                <li key={view.id} className="flex items-center">
                  <Link
                    to="/w/$workspaceId/messages"
                    params={{ workspaceId }}
                    search={parseMessageSearch(view.filters)}
                    aria-current={view === current}
                    className={row}
                    onClick={close}
                  >
                    <span dir="auto" className="min-w-0 flex-1 truncate">
                      {view.name}
                    </span>
                    {view === current && (
                      <Check size={15} aria-hidden className="shrink-0 text-accent" />
                    )}
                  </Link>
                  <IfMay permission="change">
                    <Button
                      kind="quiet"
                      size="icon"
                      aria-label={strings.edit(view.name)}
                      onClick={() => {
                        close();
                        setEdited(view);
                      }}
                    >
                      <PenLine size={15} aria-hidden />
                    </Button>
                  </IfMay>
                </li>
              ))}
            </ul>
            {views.length === 0 && (
              <p className="px-2.5 py-1.5 text-soft">{strings.noSavedViewsYet}</p>
            )}
            <IfMay permission="change">
              <div className="my-1.5 border-t border-line" />
              {isFiltered(filters) ? (
                <button
                  type="button"
                  className={`${row} w-full`}
                  onClick={() => {
                    close();
                    setEdited({});
                  }}
                >
                  <Plus size={15} aria-hidden />
                  {strings.saveTheseFilters}
                </button>
              ) : (
                <p className="px-2.5 py-1.5 text-[0.8125rem] text-faint">
                  {strings.setFiltersFirst}
                </p>
              )}
            </IfMay>
          </>
        )}
      </DropDown>
      {edited !== null && (
        <ViewDialog
          workspaceId={workspaceId}
          view={edited}
          filters={writeFilters(filters)}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
