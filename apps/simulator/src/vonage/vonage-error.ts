import type { FastifyReply } from 'fastify';
import type { TwilioErrorCode } from '../twilio-error.ts';

/** Vonage's errors: https://developer.vonage.com/en/api-errors/messages */
const ERRORS = {
  unauthorized: { status: 401, title: 'Unauthorized' },
  throttled: { status: 429, title: 'Rate Limit Hit' },
  'not-found': { status: 404, title: 'Not Found' },
  '1010': { status: 422, title: 'Missing params' },
  '1020': { status: 422, title: 'Invalid params' },
  '1030': { status: 500, title: 'Internal error' },
  '1120': { status: 422, title: 'Illegal Sender Address - rejected' },
  '1160': { status: 422, title: 'Non White-listed Destination' },
  '1170': { status: 422, title: 'Invalid or Missing Msisdn Param' },
  '1240': { status: 422, title: 'Illegal Number' },
  '1250': { status: 422, title: 'Unroutable' },
  '1310': { status: 422, title: 'Not suitable device' },
} as const;

export type VonageErrorCode = keyof typeof ERRORS;

/** The refusals of the magic numbers, by Twilio's codes. */
export const MAGIC_REFUSALS: Partial<Record<TwilioErrorCode, VonageErrorCode>> = {
  21211: '1170',
  21212: '1120',
  21408: '1160',
  21606: '1120',
  21610: '1240',
  21611: 'throttled',
  21612: '1250',
  21614: '1310',
};

/** The errors of undelivered messages, by Twilio's codes. */
const DELIVERY_ERRORS: Record<number, { code: string; title: string }> = {
  21610: { code: '1240', title: 'Illegal Number' },
  30003: { code: '1180', title: 'Absent Subscriber Temporary' },
  30005: { code: '1190', title: 'Absent Subscriber Permanent' },
  30006: { code: '1310', title: 'Not suitable device' },
  30007: { code: '1210', title: 'Anti-Spam Rejection' },
  30008: { code: '1330', title: 'Unknown' },
};

export function toDeliveryError(errorCode: number) {
  const { code, title } = DELIVERY_ERRORS[errorCode] ?? { code: '1330', title: 'Unknown' };
  return formatProblem(code, title);
}

/** Sends an error response in Vonage's format. */
export function refuse(reply: FastifyReply, code: VonageErrorCode, detail?: string): FastifyReply {
  const { status, title } = ERRORS[code];
  return reply
    .code(status)
    .type('application/problem+json')
    .send(formatProblem(code, title, detail));
}

function formatProblem(code: string, title: string, detail = `${title}.`) {
  const page = /^\d/.test(code) ? 'api-errors/messages' : 'api-errors';
  return {
    type: `https://developer.vonage.com/${page}#${code}`,
    title,
    detail,
    instance: 'simulator',
  };
}
