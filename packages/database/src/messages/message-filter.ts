import type { Direction, MessageStatus } from '@switchboard/core';
import type { TimeRange } from './day-range.ts';

export interface MessageFilter {
  direction?: Direction;
  status?: MessageStatus;
  from?: string;
  to?: string;
  /** Exclusive, milliseconds. */
  after?: Date;
  /** Exclusive, milliseconds. */
  before?: Date;
}

export function timeRangeOf({ after, before }: MessageFilter): TimeRange {
  return { from: after ? after.getTime() + 1 : null, to: before?.getTime() ?? null };
}
