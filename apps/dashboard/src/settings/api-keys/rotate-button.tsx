import type { ApiKey } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/api-keys';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { readText } from '../../ui/read-text.ts';
import { useSettingsChange } from '../use-settings.ts';
import { useShowKey } from './use-show-key.tsx';

/** Gives a key another secret. The user chooses for how long the old one still works. */
export function RotateButton({ workspaceId, apiKey }: { workspaceId: string; apiKey: ApiKey }) {
  const { id, name } = apiKey;
  const [isOpen, setOpen] = useState(false);
  const showKey = useShowKey();
  const rotate = useSettingsChange(workspaceId, async (api, overlap_seconds: number) => {
    const rotated = await api.request(
      'POST /api/ui/workspaces/{workspaceId}/api-keys/{keyId}/rotate',
      { params: { workspaceId, keyId: id }, body: { overlap_seconds } },
    );
    setOpen(false);
    showKey(rotated);
  });
  return (
    <>
      <Button
        size="small"
        kind="quiet"
        aria-label={strings.rotateNamed(name)}
        onClick={() => {
          rotate.reset();
          setOpen(true);
        }}
      >
        {strings.rotate}
      </Button>
      {isOpen && (
        <Dialog title={strings.rotateQuestion(name)} onClose={() => setOpen(false)}>
          <Form
            className="space-y-4"
            error={rotate.error}
            onSubmit={(form) => rotate.mutate(Number(readText(form, 'overlap_seconds')))}
          >
            <p className="text-soft">{strings.rotateExplained}</p>
            <Field label={strings.overlap} name="overlap_seconds">
              {(control) => (
                <select {...control} className="field" defaultValue="86400">
                  {strings.overlaps.map(([seconds, text]) => (
                    <option key={seconds} value={seconds}>
                      {text}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <FailureNotice error={rotate.error} />
            <div className="flex justify-end gap-2">
              <Button kind="quiet" onClick={() => setOpen(false)}>
                {actions.cancel}
              </Button>
              <Button type="submit" kind="primary" isBusy={rotate.isPending}>
                {strings.rotate}
              </Button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  );
}
