// confirm-button.tsx
export const goBack = 'Go back';

// general-settings.tsx
export const general = 'General';
export const workspaceName = 'Workspace name';
export const workspaceId = 'Workspace ID';
export const copyWorkspaceId = 'Copy workspace ID';

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
export const country = 'Country';
export const countryHint =
  'Phone numbers without a country code are read as numbers of this country.';
export const noCountry = 'Automatic: the country of your default number';
