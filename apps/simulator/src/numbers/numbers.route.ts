import type { FastifyInstance } from 'fastify';
import { textOf, type Form } from '../form.ts';
import type { Journal } from '../ledger/journal.ts';
import { formatPage, parsePage } from '../page.ts';
import { isPhoneNumber, readPhoneNumber } from '../phone-number.ts';
import { refuse } from '../twilio-error.ts';
import { formatNumber } from './format-number.ts';
import type { NumberStore } from './number-store.ts';

interface Params {
  accountSid: string;
  sid: string;
}

const LIST = '/Accounts/:accountSid/IncomingPhoneNumbers.json';
const ONE = '/Accounts/:accountSid/IncomingPhoneNumbers/:sid.json';

const APPLICATION_SID = /^AP[0-9a-fA-F]{32}$/;

/** Lists, reads and updates numbers. Listing with a complete number claims the number if it is free. */
export function registerNumbers(app: FastifyInstance, numbers: NumberStore, journal: Journal) {
  app.get<{ Params: Params; Querystring: Form }>(LIST, async (request) => {
    const { accountSid } = request.params;
    const wanted = readPhoneNumber(textOf(request.query, 'PhoneNumber'));
    if (isPhoneNumber(wanted)) await numbers.claim(journal, accountSid, wanted);
    const name = textOf(request.query, 'FriendlyName');
    const matches = numbers
      .ownedBy(accountSid)
      .filter((number) => wanted === '' || matchesPattern(number.phoneNumber, wanted))
      .filter((number) => name === '' || number.friendlyName === name);
    const { page, size } = parsePage(request.query);
    const entries = matches.slice(page * size, (page + 1) * size);
    const more = matches.length > (page + 1) * size;
    const path = `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json`;
    return {
      ...formatPage(
        path,
        request.query,
        entries.length,
        more ? (entries.at(-1)?.sid ?? null) : null,
      ),
      incoming_phone_numbers: entries.map(formatNumber),
    };
  });

  app.get<{ Params: Params }>(ONE, async (request, reply) => {
    const number = numbers.findBySid(request.params.accountSid, request.params.sid);
    return number === null ? refuse(reply, 20404, request.url) : formatNumber(number);
  });

  app.post<{ Params: Params; Body: Form | undefined }>(ONE, async (request, reply) => {
    const number = numbers.findBySid(request.params.accountSid, request.params.sid);
    if (number === null) return refuse(reply, 20404, request.url);
    const form = request.body ?? {};
    const method = textOf(form, 'SmsMethod').toUpperCase();
    if (method !== '' && method !== 'GET' && method !== 'POST') {
      return refuse(reply, 20001, 'SmsMethod must be GET or POST');
    }
    const url = textOf(form, 'SmsUrl');
    if (url !== '' && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
      return refuse(reply, 20001, 'SmsUrl is not a valid URL');
    }
    const application = textOf(form, 'SmsApplicationSid');
    if (application !== '' && !APPLICATION_SID.test(application)) return refuse(reply, 22108);
    await numbers.update(journal, number, {
      ...(form['SmsUrl'] !== undefined && { smsUrl: url }),
      ...(method !== '' && { smsMethod: method }),
      ...(form['SmsApplicationSid'] !== undefined && { smsApplicationSid: application }),
      ...(form['FriendlyName'] !== undefined && { friendlyName: textOf(form, 'FriendlyName') }),
    });
    return formatNumber(number);
  });
}

/** Matches digits anywhere in the number. `*` matches one digit. */
function matchesPattern(phoneNumber: string, pattern: string): boolean {
  if (!/^\+?[\d*]+$/.test(pattern)) return false;
  return new RegExp(pattern.replace('+', '^\\+').replaceAll('*', '\\d')).test(phoneNumber);
}
