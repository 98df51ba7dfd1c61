import * as strings from '#strings/compose';

import { CalendarClock, X } from '../ui/icons.ts';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { LocalTimeField } from '../ui/local-time-field.tsx';
import { toLocalInput } from '../ui/local-time.ts';

const HOUR_MS = 3_600_000;
const MAX_DAYS = 35;

/** `value` is local time, as `toLocalTime` formats it. Empty means now. */
export function ScheduleField(props: { value: string; onChange(value: string): void }) {
  const { value, onChange } = props;
  const [bounds] = useState(() => ({
    min: toLocalInput(Date.now()),
    max: toLocalInput(Date.now() + MAX_DAYS * 24 * HOUR_MS),
    suggestion: toLocalInput(Math.ceil(Date.now() / HOUR_MS + 1) * HOUR_MS),
  }));
  if (value === '') {
    return (
      <Button
        size="small"
        kind="quiet"
        className="-ml-2.5"
        onClick={() => onChange(bounds.suggestion)}
      >
        <CalendarClock size={14} aria-hidden />
        {strings.sendLater}
      </Button>
    );
  }
  return (
    <div className="flex basis-full items-start gap-1">
      <LocalTimeField
        label={strings.sendAt}
        name="scheduled_at"
        hint={strings.sendAtHint}
        className="flex-1"
        value={value}
        min={bounds.min}
        max={bounds.max}
        onChange={onChange}
      />
      <Button
        kind="quiet"
        size="icon"
        className="mt-6"
        aria-label={strings.sendNowInstead}
        onClick={() => onChange('')}
      >
        <X size={16} aria-hidden />
      </Button>
    </div>
  );
}
