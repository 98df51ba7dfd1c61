import type { Workspace } from '@switchboard/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/leaving';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';

/** Closes the workspace, after its name was typed. */
export function CloseWorkspace({ workspace }: { workspace: Workspace }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="card mt-4 flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">{strings.closeWorkspace}</p>
        <p className="text-[0.8125rem] text-faint">{strings.closeWorkspaceAbout}</p>
      </div>
      <Button size="small" kind="dangerQuiet" onClick={() => setOpen(true)}>
        {strings.closeWorkspaceMenu}
      </Button>
      {isOpen && <CloseDialog workspace={workspace} onClose={() => setOpen(false)} />}
    </div>
  );
}

function CloseDialog({ workspace, onClose }: { workspace: Workspace; onClose(): void }) {
  const { id: workspaceId, name } = workspace;
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const close = useMutation({
    mutationFn: () =>
      api.request('DELETE /api/ui/workspaces/{workspaceId}', {
        params: { workspaceId },
        body: { name },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.me });
      await navigate({ to: '/', replace: true });
      client.removeQueries({ queryKey: queryKeys.workspace(workspaceId) });
    },
  });
  const linkClass = 'text-accent underline underline-offset-2';
  return (
    <Dialog title={strings.closeWorkspaceQuestion} onClose={onClose}>
      <Form className="space-y-4" error={close.error} onSubmit={() => close.mutate()}>
        <p className="text-soft">{strings.whatCloses}</p>
        <p className="text-soft">{strings.whatIsDeleted}</p>
        <p className="text-soft">
          {strings.exportFirst({
            messages: (text) => (
              <Link to="/w/$workspaceId/messages" params={{ workspaceId }} className={linkClass}>
                {text}
              </Link>
            ),
            contacts: (text) => (
              <Link to="/w/$workspaceId/contacts" params={{ workspaceId }} className={linkClass}>
                {text}
              </Link>
            ),
            audit: (text) => (
              <Link
                to="/w/$workspaceId/settings/$section"
                params={{ workspaceId, section: 'audit' }}
                className={linkClass}
              >
                {text}
              </Link>
            ),
          })}
        </p>
        <Field label={strings.typeTheName(name)} name="name">
          {(control) => (
            <input
              {...control}
              dir="auto"
              autoComplete="off"
              className="field"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <FailureNotice error={close.error} />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose}>
            {actions.cancel}
          </Button>
          <Button
            type="submit"
            kind="danger"
            disabled={typed.trim() !== name}
            isBusy={close.isPending}
          >
            {strings.closeWorkspace}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
