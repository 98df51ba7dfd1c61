import * as strings from '#strings/overview';

import { ArrowDownRight, ArrowUpRight } from '../ui/icons.ts';

/** Shows a value as higher or lower than an earlier one. */
export function Change(props: {
  value: number;
  before: number;
  /** Whether a higher value is good news; null if it is neither. */
  isRiseGood: boolean | null;
  format(value: number): string;
}) {
  const { value, before, isRiseGood, format } = props;
  const earlier = format(before);
  // Compares the formatted values, so that no change from 98% to 98% is shown.
  if (format(value) === earlier)
    return <span className="text-xs text-faint">{strings.unchanged}</span>;
  const rises = value > before;
  const Arrow = rises ? ArrowUpRight : ArrowDownRight;
  const color = isRiseGood === null ? 'text-soft' : rises === isRiseGood ? 'text-good' : 'text-bad';
  return (
    <span className={`inline-flex items-center gap-0.5 text-xs font-medium ${color}`}>
      <Arrow size={13} aria-hidden className="shrink-0" />
      {(rises ? strings.upFrom : strings.downFrom)(earlier)}
    </span>
  );
}
