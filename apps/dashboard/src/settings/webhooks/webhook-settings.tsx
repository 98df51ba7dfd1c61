import { useState } from 'react';
import * as strings from '#strings/webhooks';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Webhook } from '../../ui/icons.ts';
import { EmptyState, FailureNotice } from '../../ui/notice.tsx';
import { useShowOnce } from '../../ui/once-shown.tsx';
import { readText } from '../../ui/read-text.ts';
import { ListCard, Section } from '../section.tsx';
import type { SectionProps } from '../sections.ts';
import { useSettingsChange, useSettingsList } from '../use-settings.ts';
import { EndpointRow } from './endpoint-row.tsx';
import { VerificationExamples } from './verification-examples.tsx';

export function WebhookSettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const showOnce = useShowOnce();
  const showSecret = (value: string): void =>
    showOnce({
      kind: 'secret',
      title: strings.signingSecret,
      warning: strings.copySecretNow,
      value,
      copyLabel: strings.copySecret,
    });
  const endpoints = useSettingsList(workspaceId, 'webhook-endpoints', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/webhook-endpoints', options),
  );
  return (
    <>
      <Section title={strings.webhooks} about={strings.webhooksAbout}>
        <ListCard
          query={endpoints}
          count={strings.endpointCount}
          onPage={setPage}
          toCells={({ url, description, event_types }) => [
            url,
            description,
            event_types?.join(', ') ?? '',
          ]}
          empty={
            <EmptyState icon={<Webhook size={20} aria-hidden />} title={strings.noEndpointsYet}>
              {strings.noEndpointsYetHint}
            </EmptyState>
          }
        >
          {(endpoint) => (
            <EndpointRow
              key={endpoint.id}
              workspaceId={workspaceId}
              endpoint={endpoint}
              onSecret={showSecret}
            />
          )}
        </ListCard>
      </Section>
      <AddEndpoint workspaceId={workspaceId} onSecret={showSecret} />
      <VerificationExamples />
    </>
  );
}

function AddEndpoint(props: { workspaceId: string; onSecret(secret: string): void }) {
  const { workspaceId, onSecret } = props;
  const add = useSettingsChange(workspaceId, async (api, form: HTMLFormElement) => {
    const { secret } = await api.request(
      'POST /api/ui/workspaces/{workspaceId}/webhook-endpoints',
      {
        params: { workspaceId },
        body: { url: readText(form, 'url'), description: readText(form, 'description') },
      },
    );
    // At once, and not when the list has been fetched again: the server returns the secret only here.
    form.reset();
    onSecret(secret);
  });
  return (
    <Section title={strings.addAnEndpoint}>
      <Form className="card space-y-4 p-4" error={add.error} onSubmit={(form) => add.mutate(form)}>
        <Field label={strings.url} name="url" hint={strings.urlHint}>
          {(control) => (
            <input
              {...control}
              type="url"
              inputMode="url"
              required
              maxLength={2_048}
              className="field"
            />
          )}
        </Field>
        <Field label={strings.description} name="description" hint={strings.descriptionHint}>
          {(control) => <input {...control} dir="auto" maxLength={200} className="field" />}
        </Field>
        <FailureNotice error={add.error} />
        <Button type="submit" kind="primary" isBusy={add.isPending}>
          {strings.addEndpoint}
        </Button>
      </Form>
    </Section>
  );
}
