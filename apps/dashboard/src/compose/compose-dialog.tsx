import type { PageAnswer, PhoneNumber } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { workspacePath, workspaceQuery } from '../api/workspace-queries.ts';
import type { ComposePreset } from '../shell/compose-context.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { formatPhone } from '../ui/format.ts';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { MediaField } from './media-field.tsx';
import { PhoneInput } from './phone-input.tsx';
import { ScheduleField } from './schedule-field.tsx';
import { SegmentMeter } from './segment-meter.tsx';
import { useSendMessage } from './use-send-message.ts';

export function ComposeDialog(props: {
  workspaceId: string;
  preset: ComposePreset;
  onClose(): void;
}) {
  const { workspaceId, preset, onClose } = props;
  const api = useApi();
  const { data: workspace } = useQuery(workspaceQuery(api, workspaceId));
  return (
    <Dialog title="New message" wide onClose={onClose}>
      {workspace?.provider_configured === false ? (
        <div className="space-y-4">
          <Notice look="wait">This workspace has no provider yet: nothing can be sent.</Notice>
          <Link
            to="/w/$workspaceId/settings/$section"
            params={{ workspaceId, section: 'provider' }}
            className={buttonClass({ kind: 'primary' })}
            onClick={onClose}
          >
            Connect a provider
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
  const { data: numbers } = useQuery({
    queryKey: queryKeys.settings(workspaceId, 'numbers'),
    queryFn: () =>
      api.get<PageAnswer<PhoneNumber>>(`${workspacePath(workspaceId)}/numbers?limit=100`),
  });
  const [to, setTo] = useState(preset.to ?? '');
  const [from, setFrom] = useState('');
  const [body, setBody] = useState('');
  const [mediaUrls, setMediaUrls] = useState<string[]>([]);
  const [scheduledAt, setScheduledAt] = useState('');
  const send = useSendMessage(workspaceId);

  function submit(): void {
    const media = mediaUrls.map((url) => url.trim()).filter((url) => url !== '');
    send.mutate(
      {
        to,
        body,
        ...(from !== '' && { from }),
        ...(media.length > 0 && { media_urls: media }),
        ...(scheduledAt !== '' && { scheduled_at: new Date(scheduledAt).toISOString() }),
      },
      {
        onSuccess: ({ id }) => {
          onClose();
          void navigate({
            to: '/w/$workspaceId/messages/$messageId',
            params: { workspaceId, messageId: id },
          });
        },
      },
    );
  }

  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <PhoneInput label="To" value={to} onChange={setTo} autoFocus={preset.to === undefined} />
        <Field label="From">
          {(control) => (
            <select
              {...control}
              className="field"
              value={from}
              onChange={(event) => setFrom(event.target.value)}
            >
              <option value="">{describeDefault(numbers?.data)}</option>
              {numbers?.data.map(({ id, number, label }) => (
                <option key={id} value={number}>
                  {formatPhone(number)}
                  {label !== '' && ` · ${label}`}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field label="Message" hint={<SegmentMeter body={body} />}>
        {(control) => (
          <textarea
            {...control}
            className="field min-h-32 resize-y leading-relaxed"
            value={body}
            autoFocus={preset.to !== undefined}
            onChange={(event) => setBody(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-x-2 gap-y-3">
        <MediaField urls={mediaUrls} onChange={setMediaUrls} />
        <ScheduleField value={scheduledAt} onChange={setScheduledAt} />
      </div>
      <FailureNotice error={send.error} />
      <div className="flex items-center justify-end gap-2 border-t border-line pt-4">
        <Button kind="quiet" onClick={onClose}>
          Discard
        </Button>
        <Button type="submit" kind="primary" disabled={send.isPending}>
          {send.isPending ? 'Sending…' : scheduledAt === '' ? 'Send' : 'Schedule'}
        </Button>
      </div>
    </form>
  );
}

function describeDefault(numbers: readonly PhoneNumber[] | undefined): string {
  const standard = numbers?.find(({ is_default }) => is_default);
  return standard === undefined ? 'Default sender' : `Default: ${formatPhone(standard.number)}`;
}
