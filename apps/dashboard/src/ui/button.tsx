import type { ComponentProps } from 'react';
import { LoaderCircle } from './icons.ts';

const KINDS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'text-soft hover:bg-sunken hover:text-ink',
  danger: 'bg-bad text-surface hover:opacity-90',
  dangerQuiet: 'text-bad hover:bg-bad-soft',
} as const;

const SIZES = {
  normal: 'h-9 px-3.5 gap-2',
  small: 'h-8 px-2.5 gap-1.5 text-[0.8125rem]',
  icon: 'size-9 justify-center',
  link: 'min-h-6 px-1 text-xs',
} as const;

export interface ButtonStyle {
  kind?: keyof typeof KINDS;
  size?: keyof typeof SIZES;
}

/** Returns the classes of a button, also for links that are styled as buttons. */
export function buttonClass({ kind = 'plain', size = 'normal' }: ButtonStyle = {}): string {
  return `inline-flex items-center rounded-lg font-medium whitespace-nowrap transition-colors disabled:opacity-60 ${SIZES[size]} ${KINDS[kind]}`;
}

export function Button({
  kind,
  size,
  isBusy = false,
  className = '',
  children,
  ...rest
}: ButtonStyle &
  ComponentProps<'button'> & { /** The action is in progress. */ isBusy?: boolean }) {
  const style = buttonClass({ ...(kind && { kind }), ...(size && { size }) });
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      className={`${style} ${className}`}
    >
      {isBusy && <LoaderCircle size={14} aria-hidden className="shrink-0 animate-spin" />}
      {/* In an element: a translated page no longer has the text before which the spinner would be inserted. */}
      <span className="contents">{children}</span>
    </button>
  );
}
