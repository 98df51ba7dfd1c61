import { ALL_SCOPES, KEY_SCOPES, type KeyScope, type Mode, modeOf } from '@switchboard/contracts';
import { useState } from 'react';
import * as strings from '#strings/api-keys';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { readText } from '../../ui/read-text.ts';
import { Section } from '../section.tsx';
import type { SectionProps } from '../sections.ts';
import { useSettingsChange } from '../use-settings.ts';
import { useShowKey } from './use-show-key.tsx';

const SCOPES = Object.keys(KEY_SCOPES) as KeyScope[];
const DAY_MS = 86_400_000;

interface NewKey {
  name: string;
  mode: Mode;
  scopes: (KeyScope | typeof ALL_SCOPES)[];
  expires_at: string | null;
  allowed_ips: string[];
}

export function CreateKey({ workspaceId }: SectionProps) {
  const showKey = useShowKey();
  const [isLimited, setLimited] = useState(false);
  const create = useSettingsChange(workspaceId, async (api, form: HTMLFormElement) => {
    const { expires_at, ...body } = readKey(form);
    const created = await api.request('POST /api/ui/workspaces/{workspaceId}/api-keys', {
      params: { workspaceId },
      body: { ...body, expires_at: expires_at ?? undefined },
    });
    // At once, and not when the list has been fetched again: the server returns the key only here.
    form.reset();
    setLimited(false);
    showKey(created);
  });
  function readKey(form: HTMLFormElement): NewKey {
    const days = Number(readText(form, 'expires_at'));
    return {
      name: readText(form, 'name'),
      mode: readText(form, 'mode') === 'test' ? 'test' : 'live',
      scopes: isLimited ? (new FormData(form).getAll('scopes') as KeyScope[]) : [ALL_SCOPES],
      expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
      allowed_ips: readText(form, 'allowed_ips')
        .split(/[\s,]+/)
        .filter((text) => text !== ''),
    };
  }
  return (
    <Section title={strings.createAKey}>
      <Form
        className="card space-y-4 p-4"
        error={create.error}
        onSubmit={(form) => create.mutate(form)}
      >
        <Field label={strings.name} name="name" hint={strings.nameHint}>
          {(control) => (
            <input {...control} dir="auto" required maxLength={100} className="field" />
          )}
        </Field>
        <Field label={strings.mode} name="mode">
          {(control) => (
            <select {...control} className="field" defaultValue={modeOf(workspaceId)}>
              <option value="live">{strings.liveKey}</option>
              <option value="test">{strings.testKey}</option>
            </select>
          )}
        </Field>
        <Field label={strings.scopes} name="scopes">
          {(control) => (
            <select
              {...control}
              name="access"
              className="field"
              value={isLimited ? 'limited' : 'all'}
              onChange={({ target }) => setLimited(target.value === 'limited')}
            >
              <option value="all">{strings.allScopes}</option>
              <option value="limited">{strings.someScopes}</option>
            </select>
          )}
        </Field>
        {isLimited && (
          <fieldset className="space-y-1.5">
            <legend className="sr-only">{strings.someScopes}</legend>
            {SCOPES.map((scope) => (
              <label key={scope} className="flex items-start gap-2">
                <input type="checkbox" name="scopes" value={scope} className="mt-1" />
                <span>{strings.scopeTexts[scope]}</span>
              </label>
            ))}
          </fieldset>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={strings.expiry} name="expires_at">
            {(control) => (
              <select {...control} className="field" defaultValue="0">
                {strings.lifetimes.map(([days, text]) => (
                  <option key={days} value={days}>
                    {text}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={strings.addresses} name="allowed_ips" hint={strings.addressesHint}>
            {(control) => (
              <input {...control} className="field" autoComplete="off" spellCheck={false} />
            )}
          </Field>
        </div>
        <FailureNotice error={create.error} />
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          {strings.createKey}
        </Button>
      </Form>
    </Section>
  );
}
