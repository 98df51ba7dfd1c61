import { type Mode, liveWorkspaceOf, modeOf, testWorkspaceOf } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import * as strings from '#strings/shell';
import { FlaskConical } from '../ui/icons.ts';

interface Props {
  workspaceId: string;
}

/** Switches between the live and the test workspace. The mode is in the address of every page. */
export function ModeSwitch({ workspaceId, onSwitch }: Props & { onSwitch?: () => void }) {
  const current = modeOf(workspaceId);
  const modes = [
    ['live', strings.liveMode, liveWorkspaceOf(workspaceId)],
    ['test', strings.testMode, testWorkspaceOf(workspaceId)],
  ] as const satisfies [Mode, string, string][];
  return (
    <nav aria-label={strings.modes} className="flex gap-0.5 rounded-lg bg-sunken p-0.5 text-xs">
      {modes.map(([mode, name, id]) => (
        <Link
          key={mode}
          to="/w/$workspaceId/messages"
          params={{ workspaceId: id }}
          aria-current={mode === current}
          onClick={onSwitch}
          className={`flex min-h-7 flex-1 items-center justify-center gap-1 rounded-md px-1 font-medium whitespace-nowrap ${
            mode !== current
              ? 'text-soft hover:text-ink'
              : mode === 'test'
                ? 'bg-wait text-surface'
                : 'bg-surface text-ink'
          }`}
        >
          {mode === 'test' && <FlaskConical size={13} aria-hidden />}
          <span>{name}</span>
        </Link>
      ))}
    </nav>
  );
}

/** Shown on every page of test mode. */
export function TestModeBanner({ workspaceId }: Props) {
  if (modeOf(workspaceId) === 'live') return null;
  return (
    <aside
      aria-label={strings.testMode}
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-2 bg-wait px-3 py-1 text-xs font-medium text-surface"
    >
      <FlaskConical size={14} aria-hidden className="shrink-0" />
      <p className="min-w-0">
        <span className="max-sm:hidden">{strings.testModeAbout}</span>
        <span className="sm:hidden">{strings.testModeAboutShort}</span>
      </p>
      <Link
        to="/w/$workspaceId/messages"
        params={{ workspaceId: liveWorkspaceOf(workspaceId) }}
        className="shrink-0 font-semibold underline underline-offset-2"
      >
        {strings.leaveTestMode}
      </Link>
    </aside>
  );
}
