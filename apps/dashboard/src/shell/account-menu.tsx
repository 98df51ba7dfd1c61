import { liveWorkspaceOf } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as strings from '#strings/shell';
import * as names from '#strings/names';
import { Check, ChevronsUpDown, LoaderCircle, LogOut, Plus } from '../ui/icons.ts';
import { useId, useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';
import { ICON_URL } from '../base-path.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { useTimeZone } from '../ui/use-day.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { ThemeChoice } from './theme-choice.tsx';

/** Shows the current workspace and opens a menu: other workspaces, theme, sign out. */
export function AccountMenu({ workspaceId }: { workspaceId: string }) {
  const { data: me } = useQuery(meQuery(useApi()));
  const { signOut, isPending: isSigningOut } = useSignOut();
  const timeZone = useTimeZone();
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const liveId = liveWorkspaceOf(workspaceId);
  const current = me?.workspaces.find(({ id }) => id === liveId);

  return (
    <>
      <button
        type="button"
        popoverTarget={menuId}
        className="flex w-full min-w-0 items-center gap-2.5 rounded-lg p-1.5 text-left hover:bg-sunken"
      >
        <img src={ICON_URL} alt="" width={28} height={28} className="shrink-0" />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate leading-tight font-semibold">
            {current?.name ?? strings.workspace}
          </span>
          <span className="block truncate text-xs leading-tight text-faint">
            {me?.user.email ?? ' '}
          </span>
        </span>
        <ChevronsUpDown size={15} aria-hidden className="shrink-0 text-faint" />
        <span className="sr-only">{strings.workspacesAndAccount}</span>
      </button>
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        className="fixed inset-auto top-15 left-3 m-0 w-64 rounded-xl border border-line bg-surface p-1.5 text-ink shadow-float"
      >
        {/* Wide screens show the switch in the sidebar. */}
        <div className="mb-1 md:hidden">
          <ModeSwitch workspaceId={workspaceId} onSwitch={() => menu.current?.hidePopover()} />
        </div>
        <p className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-faint">{strings.workspaces}</p>
        <ul className="scroller max-h-64">
          {me?.workspaces.map(({ id, name, role }) => (
            <li key={id}>
              <Link
                to="/w/$workspaceId/messages"
                params={{ workspaceId: id }}
                onClick={() => menu.current?.hidePopover()}
                aria-current={id === liveId}
                className="flex items-center gap-2 rounded-lg px-2.5 py-1.5 hover:bg-sunken"
              >
                <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
                  {name}
                </span>
                <span className="text-xs text-faint">{names.roles[role]}</span>
                <Check
                  size={15}
                  aria-hidden
                  className={id === liveId ? 'text-accent' : 'invisible'}
                />
              </Link>
            </li>
          ))}
        </ul>
        <Link
          to="/new-workspace"
          className="flex items-center gap-2 rounded-lg px-2.5 py-1.5 text-soft hover:bg-sunken hover:text-ink"
        >
          <Plus size={15} aria-hidden />
          {strings.newWorkspace}
        </Link>
        <div className="my-1.5 border-t border-line" />
        <ThemeChoice />
        <div className="my-1.5 border-t border-line" />
        <p className="truncate px-2.5 py-1 text-xs text-faint">
          <bdi>{me?.user.name}</bdi> · {me?.user.email}
        </p>
        {/* Wide screens show the time zone in the sidebar. */}
        <p className="truncate px-2.5 py-1 text-xs text-faint md:hidden">
          {strings.timesIn(timeZone)}
        </p>
        <button
          type="button"
          disabled={isSigningOut}
          aria-busy={isSigningOut || undefined}
          onClick={signOut}
          className="flex w-full items-center gap-2 rounded-lg px-2.5 py-1.5 text-soft hover:bg-sunken hover:text-ink disabled:opacity-60"
        >
          {isSigningOut ? (
            <LoaderCircle size={15} aria-hidden className="animate-spin" />
          ) : (
            <LogOut size={15} aria-hidden />
          )}
          <span>{strings.signOut}</span>
        </button>
      </div>
    </>
  );
}
