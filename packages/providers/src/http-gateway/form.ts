import * as texts from '#texts/http-gateway';
import type { VendorForm } from '../vendor-form.ts';
import { GATEWAY_CHANGE, GATEWAY_PRESETS } from './presets.ts';

export const form = {
  name: texts.name,
  about: texts.about,
  fields: [],
  forms: { add: GATEWAY_PRESETS, change: GATEWAY_CHANGE },
  summary: ['send.url'],
  webhookStep: texts.webhookStep,
  isWithoutEvidence: true,
} as const satisfies VendorForm;
