import { useDay } from './use-day.ts';
import { type TimeStyle, formatAs, formatFullTime } from './format.ts';

/** A point in time. The tooltip shows it in full, with the zone. */
export function Time(props: { at: string; style?: TimeStyle; className?: string }) {
  const { at, style = 'short', className = '' } = props;
  useDay();
  return (
    <time
      dateTime={at}
      title={style === 'full' ? undefined : formatFullTime(at)}
      className={`tabular-nums ${className}`}
    >
      {formatAs(style, at)}
    </time>
  );
}
