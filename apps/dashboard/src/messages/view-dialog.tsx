import type { SavedView } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/messages';
import { ConfirmButton } from '../settings/confirm-button.tsx';
import { useSettingsChange } from '../settings/use-settings.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';

const ONE = '/api/ui/workspaces/{workspaceId}/saved-views/{viewId}';

/** Saves the current filters as a view, or changes and deletes one. All members share the views. */
export function ViewDialog(props: {
  workspaceId: string;
  view: Partial<SavedView>;
  /** The current filters. */
  filters: SavedView['filters'];
  onClose(): void;
}) {
  const { workspaceId, view, filters, onClose } = props;
  const { id: viewId } = view;
  const [name, setName] = useState(view.name ?? '');
  const [isReplacing, setReplacing] = useState(false);
  const hasFilters = Object.keys(filters).length > 0;
  const save = useSettingsChange(workspaceId, (api) =>
    viewId === undefined
      ? api.request('POST /api/ui/workspaces/{workspaceId}/saved-views', {
          params: { workspaceId },
          body: { name, filters },
        })
      : api.request(`PATCH ${ONE}`, {
          params: { workspaceId, viewId },
          body: { name, ...(isReplacing && { filters }) },
        }),
  );
  const remove = useSettingsChange(workspaceId, (api, id: string) =>
    api.request(`DELETE ${ONE}`, { params: { workspaceId, viewId: id } }),
  );
  return (
    <Dialog title={viewId === undefined ? strings.newView : strings.view} onClose={onClose}>
      <Form
        className="space-y-4"
        error={save.error}
        onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      >
        <Field label={strings.name} name="name" hint={strings.nameHint}>
          {(control) => (
            <input
              {...control}
              className="field"
              dir="auto"
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {viewId !== undefined && hasFilters && (
          <label className="flex min-h-6 items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-(--accent)"
              checked={isReplacing}
              onChange={({ target }) => setReplacing(target.checked)}
            />
            {strings.replaceFilters}
          </label>
        )}
        <FailureNotice error={save.error} />
        <div className="flex justify-end gap-2 border-t border-line pt-4">
          {viewId !== undefined && (
            <div className="mr-auto">
              <ConfirmButton
                label={actions.deleteIt}
                title={strings.deleteViewQuestion(view.name ?? '')}
                onConfirm={() => remove.mutateAsync(viewId).then(onClose)}
              >
                {strings.deleteExplained}
              </ConfirmButton>
            </div>
          )}
          <Button kind="quiet" onClick={onClose}>
            {actions.cancel}
          </Button>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {actions.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
