import * as strings from '#strings/shell';

import { WifiOff } from '../ui/icons.ts';
import { useConnectionState } from '../live/live-context.tsx';
import { formatTime } from '../ui/format.ts';
import { useDay } from '../ui/use-day.ts';

/** Warns that the view may be outdated. It overlays the view, so that the layout does not shift. */
export function ConnectionBanner() {
  const state = useConnectionState();
  useDay();
  return (
    <div aria-live="polite" className="pointer-events-none absolute inset-x-0 bottom-3 z-10 px-3">
      {state.kind === 'disconnected' && (
        <p className="mx-auto flex w-fit items-center gap-2 rounded-full border border-wait bg-wait-soft px-4 py-2 font-medium text-wait shadow-float">
          <WifiOff size={16} aria-hidden className="shrink-0" />
          {strings.connectionLost(formatTime(new Date(state.since).toISOString()))}
        </p>
      )}
    </div>
  );
}

/** Shows whether the view is live. */
export function ConnectionIndicator() {
  const { kind } = useConnectionState();
  const state = {
    live: { label: strings.live, className: 'text-good' },
    connecting: { label: strings.connecting, className: 'text-faint' },
    disconnected: { label: strings.disconnected, className: 'text-wait' },
  }[kind];
  return (
    <span
      data-connection={kind}
      className={`inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap max-md:mx-1 md:min-w-25 ${state.className}`}
      title={state.label}
    >
      <span aria-hidden className="size-2 rounded-full bg-current" />
      <span className="max-md:sr-only">{state.label}</span>
    </span>
  );
}
