import type { Direction, MessageStatus } from '@switchboard/core';

/** A message matches if it has one of the values of every filter. No filter is an empty list. */
export interface MessageFilter {
  direction?: Direction;
  status?: readonly MessageStatus[];
  from?: readonly string[];
  to?: readonly string[];
  errorCode?: readonly string[];
  /** Ids of users and of API keys. */
  sentBy?: readonly string[];
  /** Ids of provider accounts. */
  provider?: readonly string[];
  /** Country codes of the number outside the workspace, without the plus sign. */
  countryCode?: readonly string[];
  reference?: string;
  /** Exclusive, milliseconds. */
  after?: Date;
  /** Exclusive, milliseconds. */
  before?: Date;
  /** Words from texts or contacts, or part of a number. Only `list-found.ts` reads it. */
  search?: string;
}
