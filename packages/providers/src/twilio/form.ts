import * as texts from '#texts/twilio';
import type { VendorForm } from '../vendor-form.ts';

export const form = {
  name: texts.name,
  listsNumbers: true,
  about: texts.about,
  consoleUrl: 'https://console.twilio.com',
  steps: [texts.step1, texts.step2],
  fields: [
    { name: 'account_sid', label: texts.accountSid, hint: texts.accountSidHint },
    {
      name: 'auth_token',
      label: texts.authToken,
      hint: texts.secretHint,
      isSecret: true,
    },
    {
      name: 'messaging_service_sid',
      label: texts.messagingServiceSid,
      hint: texts.messagingServiceSidHint,
      isOptional: true,
    },
  ],
} as const satisfies VendorForm;
