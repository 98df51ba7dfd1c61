import { Link } from '@tanstack/react-router';
import * as actions from '#strings/actions';
import * as names from '#strings/names';
import * as strings from '#strings/shell';
import {
  BookUser,
  ChartNoAxesColumn,
  MessagesSquare,
  PenLine,
  Rows3,
  Search,
  Settings,
} from '../ui/icons.ts';
import { Button } from '../ui/button.tsx';
import { useTimeZone } from '../ui/use-day.ts';
import { AccountMenu } from './account-menu.tsx';
import { useUnread } from '../conversations/unread-context.tsx';
import { useCompose } from './compose-context.ts';
import { useShortcutKey } from './shortcuts.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { ConnectionIndicator } from './connection-banner.tsx';

const VIEWS = [
  { to: '/w/$workspaceId/messages', name: names.messages, icon: Rows3 },
  { to: '/w/$workspaceId/conversations', name: names.conversations, icon: MessagesSquare },
  { to: '/w/$workspaceId/contacts', name: names.contacts, icon: BookUser },
  { to: '/w/$workspaceId/overview', name: names.overview, icon: ChartNoAxesColumn },
  { to: '/w/$workspaceId/settings', name: names.settings, icon: Settings },
] as const;

interface Props {
  workspaceId: string;
}

interface HeaderProps extends Props {
  onSearch(): void;
  onHelp(): void;
}

export function Sidebar({ workspaceId, onSearch, onHelp }: HeaderProps) {
  const compose = useCompose();
  const timeZone = useTimeZone();
  const searchKey = useShortcutKey('search');
  const helpKey = useShortcutKey('help');
  return (
    <header className="hidden w-56 shrink-0 flex-col border-r border-line bg-surface p-3 md:flex print:hidden">
      <AccountMenu workspaceId={workspaceId} />
      <div className="mt-2">
        <ModeSwitch workspaceId={workspaceId} />
      </div>
      {compose !== null && (
        <Button kind="primary" className="mt-3 justify-center" onClick={() => compose({})}>
          <PenLine size={16} aria-hidden />
          {names.newMessage}
        </Button>
      )}
      <Button className="mt-2" aria-keyshortcuts={searchKey} onClick={onSearch}>
        <Search size={16} aria-hidden />
        {actions.search}
        <kbd aria-hidden className="ml-auto font-mono text-xs text-faint">
          {searchKey}
        </kbd>
      </Button>
      <nav aria-label={strings.views} className="mt-4 flex-1 space-y-0.5">
        {VIEWS.map(({ to, name, icon: Icon }) => (
          <Link
            key={name}
            to={to}
            params={{ workspaceId }}
            className="flex h-9 items-center gap-2.5 rounded-lg px-2.5 font-medium"
            activeProps={{ className: 'bg-accent-soft text-accent-strong' }}
            inactiveProps={{ className: 'text-soft hover:bg-sunken hover:text-ink' }}
          >
            <Icon size={17} aria-hidden />
            <span>{name}</span>
            {name === 'Conversations' && <UnreadBadge />}
          </Link>
        ))}
      </nav>
      <p className="mb-2 truncate px-2.5 text-xs text-faint" title={timeZone}>
        {strings.timesIn(timeZone)}
      </p>
      <div className="flex items-center justify-between px-2.5">
        <ConnectionIndicator />
        <button
          type="button"
          aria-keyshortcuts={helpKey}
          className="-mr-1.5 min-h-6 rounded-md px-1.5 text-xs whitespace-nowrap text-faint hover:bg-sunken hover:text-ink"
          onClick={onHelp}
        >
          {strings.shortcuts(<kbd className="font-mono">?</kbd>)}
        </button>
      </div>
    </header>
  );
}

/** The header on narrow screens, with the workspace. `BottomNavigation` has the views. */
export function TopBar({ workspaceId, onSearch, onHelp }: HeaderProps) {
  const compose = useCompose();
  return (
    <header className="flex items-center gap-1 border-b border-line bg-surface px-3 py-2 short:group-has-data-thread/shell:hidden md:hidden print:hidden">
      <div className="min-w-0 flex-1">
        <AccountMenu workspaceId={workspaceId} />
      </div>
      <ConnectionIndicator />
      <Button kind="quiet" size="icon" aria-label={strings.keyboardShortcuts} onClick={onHelp}>
        <span aria-hidden className="font-mono">
          ?
        </span>
      </Button>
      <Button kind="quiet" size="icon" aria-label={actions.search} onClick={onSearch}>
        <Search size={17} aria-hidden />
      </Button>
      {compose !== null && (
        <Button
          kind="primary"
          size="icon"
          aria-label={names.newMessage}
          onClick={() => compose({})}
        >
          <PenLine size={17} aria-hidden />
        </Button>
      )}
    </header>
  );
}

export function BottomNavigation({ workspaceId }: Props) {
  return (
    <nav
      aria-label={strings.views}
      className="grid grid-cols-5 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] short:group-has-data-thread/shell:hidden md:hidden print:hidden"
    >
      {VIEWS.map(({ to, name, icon: Icon }) => (
        <Link
          key={name}
          to={to}
          params={{ workspaceId }}
          className="relative flex flex-col items-center gap-0.5 py-2 text-[0.6875rem] font-medium"
          activeProps={{ className: 'text-accent-strong' }}
          inactiveProps={{ className: 'text-soft' }}
        >
          <Icon size={19} aria-hidden />
          <span>{name}</span>
          {name === 'Conversations' && <UnreadBadge isOverIcon />}
        </Link>
      ))}
    </nav>
  );
}

function UnreadBadge({ isOverIcon = false }: { isOverIcon?: boolean }) {
  const unread = useUnread();
  if (unread === '') return null;
  return (
    <span
      className={`rounded-full bg-accent px-1.5 text-xs leading-5 font-semibold text-on-accent tabular-nums ${
        isOverIcon ? 'absolute top-0.5 left-1/2' : 'ml-auto'
      }`}
    >
      {names.unread({ count: unread, hidden: (text) => <span className="sr-only">{text}</span> })}
    </span>
  );
}
