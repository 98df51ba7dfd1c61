import type { FastifyReply } from 'fastify';
import type { TwilioErrorCode } from '../twilio-error.ts';

/** Telnyx's errors: https://developers.telnyx.com/docs/messaging/messages/error-codes */
const ERRORS = {
  '10004': { status: 422, title: 'Missing required parameter' },
  '10005': { status: 404, title: 'Resource not found' },
  '10007': { status: 500, title: 'Unexpected error' },
  '10009': { status: 401, title: 'Authentication failed' },
  '10011': { status: 429, title: 'Too many requests' },
  '10015': { status: 400, title: 'Bad Request' },
  '40001': { status: 400, title: 'Not routable' },
  '40300': { status: 400, title: 'Blocked due to STOP message' },
  '40305': { status: 400, title: "Invalid 'from' address" },
  '40309': { status: 400, title: 'Invalid destination region' },
  '40310': { status: 400, title: "Invalid 'to' address" },
  '40316': { status: 400, title: 'No content provided' },
  '40318': { status: 429, title: 'Messaging queue full' },
} as const;

export type TelnyxErrorCode = keyof typeof ERRORS;

/** The refusals of the magic numbers, by Twilio's codes. */
export const MAGIC_REFUSALS: Partial<Record<TwilioErrorCode, TelnyxErrorCode>> = {
  21211: '40310',
  21212: '40305',
  21408: '40309',
  21606: '40305',
  21610: '40300',
  21611: '40318',
  21612: '40309',
  21614: '40001',
};

/** The errors of undelivered messages, by Twilio's codes. */
const DELIVERY_ERRORS: Record<number, { code: string; title: string }> = {
  21610: { code: '40300', title: 'Blocked due to STOP message' },
  30003: { code: '40006', title: 'Recipient server unavailable' },
  30005: { code: '40012', title: 'Invalid messaging destination number' },
  30006: { code: '40001', title: 'Not routable' },
  30007: { code: '40002', title: 'Blocked as spam - temporary' },
  30008: { code: '40008', title: 'Undeliverable' },
};

export function toDeliveryError(errorCode: number) {
  return DELIVERY_ERRORS[errorCode] ?? { code: '40008', title: 'Undeliverable' };
}

/** Sends an error response in Telnyx's format. */
export function refuse(reply: FastifyReply, code: TelnyxErrorCode, detail?: string): FastifyReply {
  const { status, title } = ERRORS[code];
  const meta = { url: `https://developers.telnyx.com/docs/overview/errors/${code}` };
  const error = { code, title, detail: detail ?? `${title}.`, meta };
  return reply.code(status).send({ errors: [error] });
}
