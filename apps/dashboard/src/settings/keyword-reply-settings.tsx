import {
  BODY_MAX_CHARACTERS,
  DEFAULT_KEYWORD_REPLIES,
  type KeywordReplies,
} from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import * as actions from '#strings/actions';
import * as strings from '#strings/opt-outs';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice, LoadFailure, Notice, Skeleton } from '../ui/notice.tsx';
import { readText } from '../ui/read-text.ts';
import { Section } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsChange } from './use-settings.ts';

const REPLIES = [
  { name: 'opt_out', label: strings.replyToStop },
  { name: 'opt_in', label: strings.replyToStart },
  { name: 'help', label: strings.replyToHelp },
] as const;

/** The texts that reply to STOP, START and HELP. */
export function KeywordReplySettings({ workspaceId }: SectionProps) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.settings(workspaceId, 'keyword-replies'),
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/keyword-replies', {
        params: { workspaceId },
      }),
  });
  const change = useSettingsChange(
    workspaceId,
    (client, body: Pick<KeywordReplies, 'opt_out' | 'opt_in' | 'help'>) =>
      client.request('PATCH /api/ui/workspaces/{workspaceId}/keyword-replies', {
        params: { workspaceId },
        body,
      }),
  );
  return (
    <Section title={strings.keywordReplies} about={strings.keywordRepliesAbout}>
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={3} />
        ) : (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Form
          className="card space-y-4 p-4"
          error={change.error}
          onSubmit={(form) => {
            const read = (name: string) => readText(form, name) || null;
            change.mutate({ opt_out: read('opt_out'), opt_in: read('opt_in'), help: read('help') });
          }}
        >
          {REPLIES.map(({ name, label }) => (
            <Field key={name} label={label} name={name}>
              {(control) => (
                <textarea
                  {...control}
                  key={data[name]}
                  dir="auto"
                  rows={2}
                  maxLength={BODY_MAX_CHARACTERS}
                  placeholder={DEFAULT_KEYWORD_REPLIES[name]}
                  className="field"
                  defaultValue={data[name] ?? ''}
                />
              )}
            </Field>
          ))}
          <FailureNotice error={change.error} />
          {change.isSuccess && <Notice tone="good">{actions.saved}</Notice>}
          <Button type="submit" kind="primary" isBusy={change.isPending}>
            {strings.saveReplies}
          </Button>
        </Form>
      )}
    </Section>
  );
}
