import type { Erasure } from '@switchboard/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/erasing';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { formatPhone } from '../phone/format-phone.ts';
import { PhoneInput } from '../phone/phone-input.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';

const POLL_MS = 1_000;

/** A button that erases the person of a conversation, after its number was typed. Shows the progress and the result. */
export function ErasePerson(props: { workspaceId: string; number: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" kind="dangerQuiet" onClick={() => setOpen(true)}>
        {strings.erasePerson}
      </Button>
      {isOpen && <EraseDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function EraseDialog(props: { workspaceId: string; number: string; onClose(): void }) {
  const { workspaceId, number } = props;
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: () =>
      api.request('POST /api/ui/workspaces/{workspaceId}/people/{number}/erase', {
        params: { workspaceId, number },
      }),
  });
  const erasureId = erase.data?.id ?? '';
  const progress = useQuery({
    queryKey: [...queryKeys.workspace(workspaceId), 'erasure', erasureId],
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/erasures/{erasureId}', {
        params: { workspaceId, erasureId },
      }),
    enabled: erase.isSuccess,
    refetchInterval: ({ state }) => (state.data?.state === 'finished' ? false : POLL_MS),
  });
  const erasure = progress.data ?? erase.data;

  /** What the lists and the search have cached of the person is fetched again. */
  function close(): void {
    props.onClose();
    if (erasure === undefined) return;
    client.removeQueries({ queryKey: queryKeys.conversation(workspaceId, number) });
    client.removeQueries({ queryKey: queryKeys.thread(workspaceId, number) });
    void navigate({ to: '/w/$workspaceId/conversations', params: { workspaceId } });
    void client.invalidateQueries({ queryKey: queryKeys.workspace(workspaceId) });
  }

  if (erasure !== undefined) {
    return (
      <Dialog title={strings.eraseQuestion(formatPhone(number))} onClose={close}>
        <div className="space-y-4">
          <EraseProgress erasure={erasure} />
          <FailureNotice error={progress.error} />
          <div className="flex justify-end">
            <Button kind="primary" data-autofocus onClick={close}>
              {actions.close}
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={strings.eraseQuestion(formatPhone(number))} onClose={close}>
      <Form className="space-y-4" error={erase.error} onSubmit={() => erase.mutate()}>
        <p className="text-soft">{strings.whatIsErased}</p>
        <p className="text-soft">{strings.whatStays}</p>
        <PhoneInput
          label={strings.typeTheNumber(formatPhone(number))}
          name="number"
          value={typed}
          onChange={setTyped}
        />
        <FailureNotice error={erase.error} />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={close}>
            {actions.cancel}
          </Button>
          <Button type="submit" kind="danger" disabled={typed !== number} isBusy={erase.isPending}>
            {strings.erase}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function EraseProgress({ erasure }: { erasure: Erasure }) {
  const { state, messages, provider_copies: copies } = erasure;
  const lines = [
    messages.canceled > 0 && strings.canceledMessages(messages.canceled),
    messages.waiting > 0 && strings.waitingMessages(messages.waiting),
    copies.removed > 0 && strings.removedCopies(copies.removed),
    copies.pending > 0 && strings.pendingCopies(copies.pending),
    copies.failed > 0 && strings.failedCopies(copies.failed),
    copies.kept > 0 && strings.keptCopies(copies.kept),
  ].filter((line) => line !== false);
  const done = Math.min(messages.erased, messages.total);
  return (
    <div className="space-y-3" role="status">
      <p className="font-medium">{strings.states[state]}</p>
      {state === 'erasing' && (
        <progress className="w-full" max={Math.max(messages.total, 1)} value={done} />
      )}
      <p className="text-soft">{strings.erasedMessages({ done, total: messages.total })}</p>
      {lines.length > 0 && (
        <ul className="list-disc space-y-1 ps-5 text-soft">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {state !== 'finished' && <p className="text-faint">{strings.mayClose}</p>}
    </div>
  );
}
