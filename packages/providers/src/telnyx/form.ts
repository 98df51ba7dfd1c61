import * as texts from '#texts/telnyx';
import type { VendorForm } from '../vendor-form.ts';

export const form = {
  name: texts.name,
  listsNumbers: true,
  about: texts.about,
  consoleUrl: 'https://portal.telnyx.com',
  steps: [texts.step1, texts.step2, texts.step3, texts.step4],
  fields: [
    {
      name: 'api_key',
      label: texts.apiKey,
      hint: texts.apiKeyHint,
      isSecret: true,
    },
    {
      name: 'public_key',
      label: texts.publicKey,
      hint: texts.publicKeyHint,
    },
    {
      name: 'messaging_profile_id',
      label: texts.messagingProfileId,
      hint: texts.messagingProfileIdHint,
      isOptional: true,
    },
  ],
} as const satisfies VendorForm;
