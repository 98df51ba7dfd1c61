import * as texts from '#texts/sandbox';
import type { VendorForm } from '../vendor-form.ts';

export const form = {
  name: texts.name,
  about: texts.about,
  fields: [],
} as const satisfies VendorForm;
