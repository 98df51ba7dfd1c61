import { MESSAGE_STATUSES, type Outcome, outcomeOf } from '@switchboard/contracts';

const statusesOf = (...outcomes: Outcome[]): string =>
  MESSAGE_STATUSES.filter((status) => {
    const outcome = outcomeOf(status);
    return outcome !== null && status !== 'received' && outcomes.includes(outcome);
  }).join(',');

/** The filters of messages by outcome. */
export const SENT = { direction: 'outbound', status: statusesOf('delivered', 'failed', 'open') };
export const DELIVERED = { direction: 'outbound', status: statusesOf('delivered') };
/** The messages from which the delivery rate is calculated. */
export const FINISHED = { direction: 'outbound', status: statusesOf('delivered', 'failed') };
export const FAILED = { direction: 'outbound', status: statusesOf('failed') };
