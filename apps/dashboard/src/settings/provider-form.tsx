import type { Provider } from '@switchboard/contracts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { readText } from '../ui/read-text.ts';
import { UnknownOutcomeField } from './unknown-outcome-field.tsx';
import { useSettingsChange } from './use-settings.ts';

export function ProviderForm(props: {
  workspaceId: string;
  current: Provider | null;
  /** Called with `true` after new credentials are stored. */
  onDone(isStored: boolean): void;
}) {
  const { workspaceId, current, onDone } = props;
  const put = useSettingsChange(workspaceId, (api, form: HTMLFormElement) =>
    api.request('PUT /api/ui/workspaces/{workspaceId}/provider', {
      params: { workspaceId },
      body: {
        type: 'twilio',
        account_sid: readText(form, 'account_sid'),
        auth_token: readText(form, 'auth_token'),
        messaging_service_sid: readText(form, 'messaging_service_sid') || null,
        on_unknown: readText(form, 'on_unknown') as Provider['on_unknown'],
      },
      // Credentials that the provider refuses must not replace working ones.
      headers: { prefer: 'handling=strict' },
    }),
  );
  return (
    <Form
      className="card space-y-4 p-4"
      error={put.error}
      onSubmit={(form) => {
        put.mutate(form, { onSuccess: () => onDone(true) });
      }}
    >
      <Field
        label="Account SID"
        name="account_sid"
        hint="Begins with AC. It is on the home page of the Twilio console."
      >
        {(control) => (
          <input
            {...control}
            required
            autoComplete="off"
            spellCheck={false}
            defaultValue={current?.account_sid}
            className="field font-mono"
          />
        )}
      </Field>
      <Field label="Auth token" name="auth_token" hint="Stored encrypted and never shown again.">
        {(control) => (
          <input
            {...control}
            type="password"
            required
            autoComplete="off"
            className="field font-mono"
          />
        )}
      </Field>
      <Field
        label="Messaging service SID (optional)"
        name="messaging_service_sid"
        hint="Begins with MG. It chooses the sender when a message has none and there is no default number."
      >
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            spellCheck={false}
            defaultValue={current?.messaging_service_sid ?? ''}
            className="field font-mono"
          />
        )}
      </Field>
      <UnknownOutcomeField current={current?.on_unknown} />
      <FailureNotice error={put.error} />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={put.isPending}>
          {put.isPending ? 'Verifying…' : 'Save provider'}
        </Button>
        {current !== null && (
          <Button kind="quiet" onClick={() => onDone(false)}>
            Cancel
          </Button>
        )}
      </div>
    </Form>
  );
}
