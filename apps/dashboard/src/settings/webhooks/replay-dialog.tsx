import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/webhooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { LocalTimeField } from '../../ui/local-time-field.tsx';
import { toLocalTime } from '../../ui/local-time.ts';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { useSettingsChange } from '../use-settings.ts';

const HOUR_MS = 3_600_000;

/** Sends the events since a time again. */
export function ReplayDialog(props: { workspaceId: string; endpointId: string; onClose(): void }) {
  const { workspaceId, endpointId, onClose } = props;
  const [since, setSince] = useState(() => toLocalTime(Date.now() - HOUR_MS));
  const replay = useSettingsChange(workspaceId, (api, start: string) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/replay', {
      params: { workspaceId, endpointId },
      body: { since: start },
    }),
  );
  return (
    <Dialog title={strings.replayEvents} onClose={onClose}>
      <Form
        className="space-y-4"
        error={replay.error}
        onSubmit={() => replay.mutate(new Date(since).toISOString())}
      >
        <p className="text-soft">{strings.replayAbout}</p>
        <LocalTimeField
          label={strings.since}
          name="since"
          hint=""
          value={since}
          onChange={setSince}
        />
        <FailureNotice error={replay.error} />
        {replay.data !== undefined && (
          <Notice tone="good">{strings.willBeSentAgain(replay.data.events)}</Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose}>
            {actions.close}
          </Button>
          <Button type="submit" kind="primary" isBusy={replay.isPending}>
            {strings.replay}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
