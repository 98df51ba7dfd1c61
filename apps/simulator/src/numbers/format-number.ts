import { formatRfc2822 } from '../rfc2822-date.ts';
import type { PhoneNumber } from './owned-number.ts';

/** Formats a number as Twilio's IncomingPhoneNumber. Unused fields have Twilio's defaults. */
export function formatNumber(number: PhoneNumber) {
  return {
    account_sid: number.accountSid,
    address_requirements: 'none',
    address_sid: null,
    api_version: '2010-04-01',
    beta: false,
    bundle_sid: null,
    capabilities: { fax: false, mms: true, sms: true, voice: true },
    date_created: formatRfc2822(number.createdAt),
    date_updated: formatRfc2822(number.updatedAt),
    emergency_address_sid: null,
    emergency_address_status: 'unregistered',
    emergency_status: 'Inactive',
    friendly_name: number.friendlyName,
    identity_sid: null,
    origin: 'twilio',
    phone_number: number.phoneNumber,
    sid: number.sid,
    sms_application_sid: number.smsApplicationSid,
    sms_fallback_method: 'POST',
    sms_fallback_url: '',
    sms_method: number.smsMethod,
    sms_url: number.smsUrl,
    status: 'in-use',
    status_callback: '',
    status_callback_method: 'POST',
    subresource_uris: {},
    trunk_sid: null,
    type: null,
    uri: `/2010-04-01/Accounts/${number.accountSid}/IncomingPhoneNumbers/${number.sid}.json`,
    voice_application_sid: null,
    voice_caller_id_lookup: false,
    voice_fallback_method: 'POST',
    voice_fallback_url: null,
    voice_method: 'POST',
    voice_receive_mode: 'voice',
    voice_url: null,
  };
}
