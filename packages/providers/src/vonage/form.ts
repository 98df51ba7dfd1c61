import * as texts from '#texts/vonage';
import type { VendorForm } from '../vendor-form.ts';

export const form = {
  name: texts.name,
  listsNumbers: 'api_key',
  about: texts.about,
  consoleUrl: 'https://dashboard.nexmo.com',
  steps: [texts.step1, texts.step2, texts.step3, texts.step4],
  webhookStep: texts.webhookStep,
  fields: [
    {
      name: 'application_id',
      label: texts.applicationId,
      hint: texts.applicationIdHint,
    },
    {
      name: 'private_key',
      label: texts.privateKey,
      hint: texts.privateKeyHint,
      isSecret: true,
      isLong: true,
    },
    {
      name: 'signature_secret',
      label: texts.signatureSecret,
      hint: texts.signatureSecretHint,
      isSecret: true,
    },
    {
      name: 'api_key',
      label: texts.apiKey,
      hint: texts.apiKeyHint,
      isOptional: true,
    },
    {
      name: 'api_secret',
      label: texts.apiSecret,
      hint: texts.apiSecretHint,
      isSecret: true,
      isOptional: true,
    },
  ],
} as const satisfies VendorForm;
