import { WifiOff } from '../ui/icons.ts';
import { useLineState } from '../live/live-context.tsx';
import { formatTime } from '../ui/format.ts';

/** Says that what is shown may be old. It lies over the view, so that nothing jumps. */
export function LineBanner() {
  const state = useLineState();
  return (
    <div aria-live="polite" className="pointer-events-none absolute inset-x-0 bottom-3 z-10 px-3">
      {state.kind === 'away' && (
        <p className="mx-auto flex w-fit items-center gap-2 rounded-full border border-wait bg-wait-soft px-4 py-2 font-medium text-wait shadow-float">
          <WifiOff size={16} aria-hidden className="shrink-0" />
          Connection lost at {formatTime(new Date(state.since).toISOString())}. Reconnecting…
        </p>
      )}
    </div>
  );
}

/** The small light by which one sees that the view is live. */
export function LineLight() {
  const { kind } = useLineState();
  const look = {
    live: { word: 'Live', className: 'text-good' },
    connecting: { word: 'Connecting…', className: 'text-faint' },
    away: { word: 'Not connected', className: 'text-wait' },
  }[kind];
  return (
    <span
      data-line={kind}
      className={`inline-flex min-w-25 items-center gap-1.5 text-xs font-medium whitespace-nowrap max-md:justify-end ${look.className}`}
    >
      <span aria-hidden className="size-2 rounded-full bg-current" />
      {look.word}
    </span>
  );
}
