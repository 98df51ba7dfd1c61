import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import * as actions from '#strings/actions';
import * as strings from '#strings/shell';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { CountryField, suggestCountry } from '../settings/country-field.tsx';
import { SessionFrame } from '../session/session-frame.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { readText } from '../ui/read-text.ts';

export function NewWorkspacePage() {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (form: HTMLFormElement) =>
      api.request('POST /api/ui/workspaces', {
        body: { name: readText(form, 'name'), country: readText(form, 'country') || null },
      }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: queryKeys.me });
      await navigate({ to: '/w/$workspaceId/messages', params: { workspaceId: id } });
    },
  });

  return (
    <SessionFrame title={strings.newWorkspace}>
      <Form className="space-y-4" error={create.error} onSubmit={(form) => create.mutate(form)}>
        <Field label={strings.name} name="name" hint={strings.nameHint}>
          {(control) => (
            <input {...control} dir="auto" required maxLength={100} autoFocus className="field" />
          )}
        </Field>
        <CountryField defaultValue={suggestCountry()} />
        <FailureNotice error={create.error} />
        <Button
          type="submit"
          kind="primary"
          className="w-full justify-center"
          isBusy={create.isPending}
        >
          {strings.createWorkspace}
        </Button>
      </Form>
      <p className="mt-5 text-center">
        <Link to="/" className="font-medium text-accent underline underline-offset-2">
          {actions.back}
        </Link>
      </p>
    </SessionFrame>
  );
}
