import { useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import * as names from '#strings/names';
import * as strings from '#strings/settings';
import { Notice } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AccountSettings } from './account-settings.tsx';
import { ApiKeySettings } from './api-key-settings.tsx';
import { AuditTrail } from './audit/audit-trail.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { MemberSettings } from './member-settings.tsx';
import { NumberSettings } from './number-settings.tsx';
import { OptOutSettings } from './opt-out-settings.tsx';
import { ProviderSettings } from './provider-settings.tsx';
import { SavedReplySettings } from './saved-reply-settings.tsx';
import { Section } from './section.tsx';
import { SECTIONS, type SectionProps } from './sections.ts';
import { useMay } from '../session/use-may.tsx';
import { WebhookSettings } from './webhooks/webhook-settings.tsx';

const VIEWS: Record<(typeof SECTIONS)[number]['id'], ComponentType<SectionProps>> = {
  general: GeneralSettings,
  provider: ProviderSettings,
  numbers: NumberSettings,
  'api-keys': ApiKeySettings,
  webhooks: WebhookSettings,
  members: MemberSettings,
  'opt-outs': OptOutSettings,
  'saved-replies': SavedReplySettings,
  audit: AuditTrail,
  account: AccountSettings,
};

export function SettingsSection() {
  const { workspaceId = '', section = 'general' } = useParams({ strict: false });
  const found = SECTIONS.find(({ id }) => id === section);
  const isOwner = useMay('manage');
  useTitle(strings.sectionTitle(found?.name ?? names.settings));
  if (found === undefined) return <p className="text-soft">{strings.thisSectionDoesNotExist}</p>;
  if ('owner' in found && !isOwner)
    return (
      <Section title={found.name}>
        <Notice tone="info">{strings.onlyForOwners}</Notice>
      </Section>
    );
  const View = VIEWS[found.id];
  return <View key={workspaceId} workspaceId={workspaceId} />;
}
