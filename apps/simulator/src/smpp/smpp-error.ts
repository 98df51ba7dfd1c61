import type { ReceiptState, StatusName } from '@switchboard/smpp';
import type { TwilioErrorCode } from '../twilio-error.ts';

/** The refusals of the magic numbers, by Twilio's codes. */
export const MAGIC_REFUSALS: Partial<Record<TwilioErrorCode, StatusName>> = {
  21211: 'ESME_RINVDSTADR',
  21212: 'ESME_RINVSRCADR',
  21408: 'ESME_RSUBMITFAIL',
  21606: 'ESME_RINVSRCADR',
  21610: 'ESME_RX_P_APPN',
  21611: 'ESME_RMSGQFUL',
  21612: 'ESME_RSUBMITFAIL',
  21614: 'ESME_RINVDSTADR',
};

interface DeliveryError {
  state: ReceiptState;
  error: string;
}

/** The states and errors of undelivered messages in receipts, by Twilio's codes. */
const DELIVERY_ERRORS: Record<number, DeliveryError> = {
  21610: { state: 'REJECTD', error: '061' },
  30003: { state: 'EXPIRED', error: '027' },
  30005: { state: 'UNDELIV', error: '001' },
  30006: { state: 'UNDELIV', error: '011' },
  30007: { state: 'REJECTD', error: '088' },
  30008: { state: 'UNKNOWN', error: '099' },
};

export function toDeliveryError(errorCode: number | null): DeliveryError {
  return DELIVERY_ERRORS[errorCode ?? 0] ?? { state: 'UNDELIV', error: '099' };
}
