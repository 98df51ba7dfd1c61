import type { ReactNode } from 'react';

// confirm-button.tsx
export const goBack = 'Go back';

// general-settings.tsx
export const general = 'General';
export const workspaceName = 'Workspace name';
export const workspaceId = 'Workspace ID';
export const copyWorkspaceId = 'Copy workspace ID';

// factor-rule.tsx
export const factorRule = 'Second factor of members';
export const factorIsRequired =
  'Required: members without a second factor have no access. API keys are not concerned.';
export const factorIsOptional = 'Optional: each member decides.';
export const requireFactor = 'Require';
export const requireFactorQuestion = 'Require a second factor?';
export const requireFactorExplained =
  'Members without one lose access immediately, until they have set one up. The list of members shows who has one.';
export const makeFactorOptional = 'Make optional';
export const makeFactorOptionalQuestion = 'Make the second factor optional?';
export const makeFactorOptionalExplained =
  'Members can then use this workspace with their password alone.';
export const setUpFactorFirst = (link: (text: string) => ReactNode) => (
  <>To require it, first set one up in {link('your account')}.</>
);

// section.tsx
export const pages = 'Pages';

// sections.ts
export const provider = 'Provider';
export const numbers = 'Numbers';
export const webhooks = 'Webhooks';
export const members = 'Members';
export const optOuts = 'Opt-outs';
export const auditTrail = 'Audit trail';

// settings-page.tsx
export const viewersOnlyRead =
  'As a viewer you can read these settings, but not change them. An owner can change your role.';

// settings-section.tsx
export const thisSectionDoesNotExist = 'This section does not exist.';
export const onlyForOwners = 'Only owners of this workspace can open this page.';
export const sectionTitle = (section: string) => `${section} · Settings`;

// country-field.tsx
export const encoding = 'Quotes and dashes';
export const encodingHint =
  '“–” and “’” are not in the GSM-7 alphabet. One of them can double the price of a text. Letters and emoji are never replaced.';
export const encodingAsIs = 'Send as written';
export const encodingPreferGsm7 = 'Replace with plain characters';
export const country = 'Country';
export const countryHint =
  'Phone numbers without a country code are read as numbers of this country.';
export const noCountry = 'Automatic: the country of your default number';
