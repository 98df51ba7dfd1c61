import { BODY_MAX_CHARACTERS, type SavedReply } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as names from '#strings/names';
import * as strings from '#strings/saved-replies';
import { SegmentMeter } from '../compose/segment-meter.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Plus, Zap } from '../ui/icons.ts';
import { EmptyState, FailureNotice } from '../ui/notice.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { ListCard, ListRow, Section } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsChange, useSettingsList } from './use-settings.ts';
import { IfMay } from '../session/use-may.tsx';

const ONE = '/api/ui/workspaces/{workspaceId}/saved-replies/{replyId}';

export function SavedReplySettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const [edited, setEdited] = useState<Partial<SavedReply> | null>(null);
  const replies = useSettingsList(workspaceId, 'saved-replies', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/saved-replies', options),
  );
  const remove = useSettingsChange(workspaceId, (api, replyId: string) =>
    api.request(`DELETE ${ONE}`, { params: { workspaceId, replyId } }),
  );
  return (
    <>
      <Section
        title={names.savedReplies}
        about={strings.savedRepliesAbout}
        action={
          <IfMay permission="change">
            <Button kind="primary" size="small" onClick={() => setEdited({})}>
              <Plus size={14} aria-hidden />
              {strings.newSavedReply}
            </Button>
          </IfMay>
        }
      >
        <ListCard
          query={replies}
          count={strings.savedReplyCount}
          onPage={setPage}
          toCells={({ name, body }) => [name, body]}
          empty={
            <EmptyState icon={<Zap size={20} aria-hidden />} title={strings.noSavedReplies}>
              {strings.noSavedRepliesHint}
            </EmptyState>
          }
        >
          {(reply) => (
            <ListRow
              key={reply.id}
              title={<bdi>{reply.name}</bdi>}
              about={
                <span dir="auto" className="line-clamp-2">
                  {reply.body}
                </span>
              }
            >
              <IfMay permission="change">
                <Button
                  size="small"
                  aria-label={strings.edit(reply.name)}
                  onClick={() => setEdited(reply)}
                >
                  {actions.edit}
                </Button>
                <ConfirmButton
                  label={actions.deleteIt}
                  ariaLabel={strings.deleteNamed(reply.name)}
                  title={strings.deleteQuestion(reply.name)}
                  onConfirm={() => remove.mutateAsync(reply.id)}
                >
                  {strings.deleteExplained}
                </ConfirmButton>
              </IfMay>
            </ListRow>
          )}
        </ListCard>
      </Section>
      {edited !== null && (
        <ReplyDialog workspaceId={workspaceId} reply={edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

function ReplyDialog(props: { workspaceId: string; reply: Partial<SavedReply>; onClose(): void }) {
  const { workspaceId, reply, onClose } = props;
  const { id: replyId } = reply;
  const [name, setName] = useState(reply.name ?? '');
  const [body, setBody] = useState(reply.body ?? '');
  const save = useSettingsChange(workspaceId, (api, texts: { name: string; body: string }) =>
    replyId === undefined
      ? api.request('POST /api/ui/workspaces/{workspaceId}/saved-replies', {
          params: { workspaceId },
          body: texts,
        })
      : api.request(`PATCH ${ONE}`, { params: { workspaceId, replyId }, body: texts }),
  );
  return (
    <Dialog
      title={replyId === undefined ? strings.newSavedReply : strings.savedReply}
      onClose={onClose}
    >
      <Form
        className="space-y-4"
        error={save.error}
        onSubmit={() => save.mutate({ name, body }, { onSuccess: onClose })}
      >
        <Field label={strings.name} name="name">
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
        <Field
          label={strings.text}
          name="body"
          hint={<SegmentMeter workspaceId={workspaceId} body={body} onReplace={setBody} />}
        >
          {(control) => (
            <textarea
              {...control}
              className="field min-h-32 resize-y leading-relaxed"
              dir="auto"
              required
              maxLength={BODY_MAX_CHARACTERS}
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
        </Field>
        <FailureNotice error={save.error} />
        <div className="flex justify-end gap-2 border-t border-line pt-4">
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
