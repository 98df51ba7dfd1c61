/** The sections in the order of the menu. Only owners see those with `owner`. */
export const SECTIONS = [
  { id: 'general', name: 'General' },
  { id: 'provider', name: 'Provider' },
  { id: 'numbers', name: 'Numbers' },
  { id: 'api-keys', name: 'API keys' },
  { id: 'webhooks', name: 'Webhooks', owner: true },
  { id: 'members', name: 'Members' },
  { id: 'opt-outs', name: 'Opt-outs' },
  { id: 'saved-replies', name: 'Saved replies' },
  { id: 'audit', name: 'Audit trail', owner: true },
  { id: 'account', name: 'Your account' },
] as const;

export interface SectionProps {
  workspaceId: string;
}
