import * as names from '#strings/names';
import * as strings from '#strings/settings';

/** The sections in the order of the menu. Only owners see those with `owner`. In test mode, those with `liveOnly` are hidden. */
export const SECTIONS = [
  { id: 'general', name: strings.general },
  { id: 'provider', name: strings.provider, liveOnly: true },
  { id: 'numbers', name: strings.numbers },
  { id: 'api-keys', name: names.apiKeys },
  { id: 'webhooks', name: strings.webhooks, owner: true },
  { id: 'members', name: strings.members },
  { id: 'opt-outs', name: strings.optOuts },
  { id: 'saved-replies', name: names.savedReplies },
  { id: 'audit', name: strings.auditTrail, owner: true },
  { id: 'account', name: names.yourAccount },
] as const;

export interface SectionProps {
  workspaceId: string;
}
