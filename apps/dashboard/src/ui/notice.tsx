import * as actions from '#strings/actions';
import * as strings from '#strings/ui';

import { CircleAlert, CircleCheck, Info } from './icons.ts';
import { type ComponentType, type ReactNode, use } from 'react';
import { explainFailure } from '../api/explain-failure.ts';
import { Button } from './button.tsx';
import { FormContext } from './form-context.ts';

type Icon = ComponentType<{ size: number; className: string; 'aria-hidden': true }>;

const TONES: Record<'bad' | 'good' | 'info' | 'wait', { icon: Icon; className: string }> = {
  bad: { icon: CircleAlert, className: 'bg-bad-soft text-bad' },
  good: { icon: CircleCheck, className: 'bg-good-soft text-good' },
  info: { icon: Info, className: 'bg-progress-soft text-progress' },
  wait: { icon: CircleAlert, className: 'bg-wait-soft text-wait' },
};

export function Notice({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  const { icon: Icon, className } = TONES[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex gap-2.5 rounded-lg px-3 py-2.5 ${className}`}
    >
      <Icon size={17} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}

/** Shows the errors that no field of the surrounding form shows. */
export function FailureNotice({ error }: { error: unknown }) {
  const form = use(FormContext);
  const errors = explainFailure(error).filter(
    ({ field }) => field === null || form?.has(field) !== true,
  );
  if (errors.length === 0) return null;
  return <Notice tone="bad">{errors.map(({ message }) => message).join(' ')}</Notice>;
}

/** Replaces a view that failed to load. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <div className="grid place-items-center px-4 py-16 text-center">
      <div className="max-w-sm" role="alert">
        <CircleAlert size={28} aria-hidden className="mx-auto mb-3 text-bad" />
        <p className="font-semibold">{strings.pageNotLoaded}</p>
        <p className="mt-1 mb-4 text-soft">
          {explainFailure(error)
            .map(({ message }) => message)
            .join(' ')}
        </p>
        <Button onClick={onRetry}>{actions.tryAgain}</Button>
      </div>
    </div>
  );
}

export function EmptyState(props: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="grid place-items-center px-4 py-14 text-center">
      <div className="max-w-sm">
        <div className="mx-auto mb-3 grid size-11 place-items-center rounded-full bg-sunken text-faint">
          {props.icon}
        </div>
        <p className="font-semibold">{props.title}</p>
        <div className="mt-1 text-soft">{props.children}</div>
      </div>
    </div>
  );
}

/** Gray placeholder bars with the height of the content. */
export function Skeleton({ lines, height = 'h-9' }: { lines: number; height?: string }) {
  return (
    <div aria-busy="true" data-skeleton className="space-y-2">
      <span className="sr-only">{actions.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={`animate-pulse rounded-lg bg-sunken ${height}`} />
      ))}
    </div>
  );
}
