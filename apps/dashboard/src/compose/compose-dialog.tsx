import { BODY_MAX_CHARACTERS, type PhoneNumber, modeOf } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/compose';
import * as names from '#strings/names';
import { useApi, useDependencies } from '../api/api-context.tsx';
import { numbersQuery, workspaceQuery } from '../api/workspace-queries.ts';
import { AttachButton } from '../media/attach-button.tsx';
import { AttachmentList } from '../media/attachment-list.tsx';
import { useAttachments } from '../media/use-attachments.ts';
import { pasteFiles, useFileDrop } from '../media/use-file-drop.ts';
import { formatPhone } from '../phone/format-phone.ts';
import type { ComposePreset } from '../shell/compose-context.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { isolate } from '../ui/format.ts';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { readKey } from '../ui/read-key.ts';
import { useUnsentWarning } from '../ui/use-unsent-warning.ts';
import {
  type ComposeDraft,
  EMPTY_DRAFT,
  composeDraftName,
  isEmptyDraft,
  isSameDraft,
} from './compose-draft.ts';
import { MediaField } from './media-field.tsx';
import { RecipientField } from './recipient-field.tsx';
import { ScheduleField } from './schedule-field.tsx';
import { SegmentMeter } from './segment-meter.tsx';
import { useReplaceMessage } from './use-replace-message.ts';

export function ComposeDialog(props: {
  workspaceId: string;
  preset: ComposePreset;
  onClose(): void;
}) {
  const { workspaceId, preset, onClose } = props;
  const api = useApi();
  const { data: workspace } = useQuery(workspaceQuery(api, workspaceId));
  return (
    <Dialog
      title={
        preset.replaces !== undefined
          ? strings.changeScheduledMessage
          : modeOf(workspaceId) === 'test'
            ? strings.newTestMessage
            : names.newMessage
      }
      wide
      onClose={onClose}
    >
      {workspace?.provider_configured === false ? (
        <div className="space-y-4">
          <Notice tone="wait">{strings.noProviderYet}</Notice>
          <Link
            to="/w/$workspaceId/settings/$section"
            params={{ workspaceId, section: 'provider' }}
            className={buttonClass({ kind: 'primary' })}
            onClick={onClose}
          >
            {names.connectProvider}
          </Link>
        </div>
      ) : (
        <ComposeForm workspaceId={workspaceId} preset={preset} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ComposeForm(props: { workspaceId: string; preset: ComposePreset; onClose(): void }) {
  const { workspaceId, preset, onClose } = props;
  const api = useApi();
  const navigate = useNavigate();
  const { data: numbers } = useQuery(numbersQuery(api, workspaceId));
  const { drafts } = useDependencies();
  const draftName = composeDraftName(workspaceId);
  const isDraft = preset.body === undefined;
  const [draft, setDraft] = useState<ComposeDraft>(() => ({
    ...EMPTY_DRAFT,
    ...(isDraft && (drafts.read(draftName) as ComposeDraft | null)),
    ...preset,
  }));
  const latest = useRef(draft);
  const { to, from, body, mediaUrls, scheduledAt } = draft;
  const attachments = useAttachments(workspaceId, draft.attachments, (update) =>
    changeWith((current) => ({ attachments: update(current.attachments) })),
  );
  const isDragging = useFileDrop(true, attachments.add);
  const send = useReplaceMessage(workspaceId, preset.replaces);
  const [initial] = useState(draft);
  useUnsentWarning(attachments.uploads.length > 0 || (!isDraft && !isSameDraft(draft, initial)));
  const isTooLong = body.length > BODY_MAX_CHARACTERS;
  // The text of another message is what that message sent or was to send.
  const isAsIs = body === preset.body;
  const hasMedia = attachments.list.length > 0 || mediaUrls.some((url) => url.trim() !== '');

  const change = (part: Partial<ComposeDraft>): void => changeWith(() => part);

  /** An upload may end after other changes, or after the dialog was closed. */
  function changeWith(update: (current: ComposeDraft) => Partial<ComposeDraft>): void {
    const next = { ...latest.current, ...update(latest.current) };
    latest.current = next;
    setDraft(next);
    // Saved at every key press, because Escape or a reload may close the dialog at any time.
    if (isDraft) drafts.write(draftName, isEmptyDraft(next) ? null : next);
  }

  function discard(): void {
    if (isDraft) drafts.write(draftName, null);
    onClose();
  }

  function submit(): void {
    const media = [
      ...attachments.list.map(({ url }) => url),
      ...mediaUrls.map((url) => url.trim()).filter((url) => url !== ''),
    ];
    send.mutate(
      {
        to,
        body,
        ...(isAsIs && { encoding: 'as_is' as const }),
        ...(from !== '' && { from }),
        ...(media.length > 0 && { media_urls: media }),
        ...(preset.repeatOf !== undefined && to === preset.to && { repeat_of: preset.repeatOf }),
        ...(to === preset.to && preset.labels),
        ...(scheduledAt !== '' && { scheduled_at: new Date(scheduledAt).toISOString() }),
      },
      {
        onSuccess: ({ id }) => {
          discard();
          void navigate({
            to: '/w/$workspaceId/messages/$messageId',
            params: { workspaceId, messageId: id },
          });
        },
      },
    );
  }

  return (
    <Form className="space-y-4" error={send.error} onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-2">
        <RecipientField
          workspaceId={workspaceId}
          value={to}
          onChange={(next) => change({ to: next })}
        />
        <Field label={strings.from} name="from">
          {(control) => (
            <select
              {...control}
              className="field"
              value={from}
              onChange={(event) => change({ from: event.target.value })}
            >
              <option value="">{describeDefault(numbers?.data)}</option>
              {numbers?.data.map(({ id, number, label }) => (
                <option key={id} value={number}>
                  {[formatPhone(number), ...(label === '' ? [] : [isolate(label)])].join(' · ')}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field
        label={strings.message}
        name="body"
        hint={
          <SegmentMeter
            workspaceId={workspaceId}
            body={body}
            isAsIs={isAsIs}
            hasMedia={hasMedia}
            onReplace={(plain) => change({ body: plain })}
          />
        }
      >
        {(control) => (
          <textarea
            {...control}
            className="field min-h-32 resize-y leading-relaxed"
            value={body}
            dir="auto"
            required={!hasMedia}
            onPaste={(event) => pasteFiles(event, attachments.add)}
            data-autofocus={preset.to === undefined ? undefined : true}
            onChange={(event) => change({ body: event.target.value })}
            onKeyDown={(event) => {
              if (readKey(event) !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              if (!isTooLong && !send.isPending && attachments.uploads.length === 0)
                event.currentTarget.form?.requestSubmit();
            }}
          />
        )}
      </Field>
      <AttachmentList workspaceId={workspaceId} attachments={attachments} />
      <div
        className={`flex flex-wrap gap-x-2 gap-y-3 rounded-lg ${isDragging ? 'outline-2 outline-offset-4 outline-accent outline-dashed' : ''}`}
      >
        <AttachButton
          kind="quiet"
          size="small"
          className="-ml-2.5"
          label={isDragging ? strings.dropFilesToAttachThem : strings.attachFiles}
          add={attachments.add}
        />
        <MediaField urls={mediaUrls} onChange={(urls) => change({ mediaUrls: urls })} />
        <ScheduleField value={scheduledAt} onChange={(at) => change({ scheduledAt: at })} />
      </div>
      <FailureNotice error={send.error} />
      {send.isCanceled && <Notice tone="wait">{strings.canceledAndNotReplaced}</Notice>}
      <div className="flex items-center justify-end gap-2 border-t border-line pt-4">
        <Button kind="quiet" onClick={discard}>
          {preset.replaces === undefined ? strings.discard : strings.discardChanges}
        </Button>
        <Button
          type="submit"
          kind="primary"
          disabled={send.isPending || isTooLong || attachments.uploads.length > 0}
        >
          {send.isPending ? actions.sending : submitLabel(preset, scheduledAt)}
        </Button>
      </div>
    </Form>
  );
}

function submitLabel({ replaces }: ComposePreset, scheduledAt: string): string {
  if (scheduledAt !== '') return strings.schedule;
  return replaces === undefined ? strings.send : strings.sendNow;
}

function describeDefault(numbers: readonly PhoneNumber[] | undefined): string {
  const standard = numbers?.find(({ is_default }) => is_default);
  return standard === undefined
    ? strings.defaultSender
    : strings.defaultNumber(formatPhone(standard.number));
}
