import type { FastifyReply } from 'fastify';

/** Twilio's error responses: https://www.twilio.com/docs/api/errors */
const ERRORS = {
  20001: { status: 400, message: 'Invalid parameter' },
  20003: { status: 401, message: 'Authenticate' },
  20009: { status: 409, message: 'Resource is not complete' },
  20404: { status: 404, message: 'The requested resource was not found' },
  20429: { status: 429, message: 'Too Many Requests' },
  20500: { status: 500, message: 'An internal server error has occurred' },
  21211: { status: 400, message: "Invalid 'To' Phone Number" },
  21212: { status: 400, message: "Invalid 'From' Number (caller ID)" },
  21408: {
    status: 400,
    message: "Permission to send an SMS has not been enabled for the region of the 'To' number",
  },
  21602: { status: 400, message: 'Message body is required.' },
  21603: { status: 400, message: "A 'From' phone number is required." },
  21604: { status: 400, message: "A 'To' phone number is required." },
  21606: {
    status: 400,
    message: "The 'From' phone number is not a valid, message-capable number of this account",
  },
  21610: { status: 400, message: 'Attempt to send to unsubscribed recipient' },
  21611: { status: 400, message: "This 'From' number has exceeded its queue of messages" },
  21612: { status: 400, message: "The 'To' number is not reachable from the 'From' number" },
  21614: { status: 400, message: "'To' number is not a valid mobile number" },
  21617: { status: 400, message: 'The concatenated message body exceeds the 1600 character limit' },
  21620: { status: 400, message: 'Invalid media URL(s)' },
  21623: { status: 400, message: 'Number of media files exceeds allowed limit' },
  22108: { status: 400, message: 'Invalid Application SID' },
  30409: { status: 409, message: 'Message cannot be canceled in its current state' },
  35114: { status: 400, message: 'SendAt must be between 300 seconds and 35 days in the future' },
  35118: { status: 400, message: 'MessagingServiceSid is required to schedule a message' },
} as const;

export type TwilioErrorCode = keyof typeof ERRORS;

/** Sends an error response in Twilio's format. */
export function refuse(reply: FastifyReply, code: TwilioErrorCode, detail?: string): FastifyReply {
  const { status, message } = ERRORS[code];
  return reply.code(status).send({
    code,
    message: detail === undefined ? message : `${message}: ${detail}`,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  });
}
