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
import { IfMay, ReadOnlyUnless } from '../session/use-may.tsx';

const KEYWORDS = [
  {
    reply: { name: 'opt_out', label: strings.replyToStop },
    words: { name: 'opt_out_words', label: strings.wordsLikeStop },
  },
  {
    reply: { name: 'opt_in', label: strings.replyToStart },
    words: { name: 'opt_in_words', label: strings.wordsLikeStart },
  },
  {
    reply: { name: 'help', label: strings.replyToHelp },
    words: { name: 'help_words', label: strings.wordsLikeHelp },
  },
] as const;

/** The texts that reply to STOP, START and HELP, and the workspace’s own words for them. */
export function KeywordReplySettings({ workspaceId }: SectionProps) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.settings(workspaceId, 'keyword-replies'),
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/keyword-replies', {
        params: { workspaceId },
      }),
  });
  const change = useSettingsChange(workspaceId, (client, body: KeywordReplies) =>
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
            const readWords = (name: string) =>
              readText(form, name)
                .split('\n')
                .map((word) => word.trim())
                .filter((word) => word !== '');
            change.mutate({
              opt_out: read('opt_out'),
              opt_in: read('opt_in'),
              help: read('help'),
              opt_out_words: readWords('opt_out_words'),
              opt_in_words: readWords('opt_in_words'),
              help_words: readWords('help_words'),
            });
          }}
        >
          <ReadOnlyUnless permission="change" className="space-y-4">
            {KEYWORDS.map(({ reply, words }) => (
              <div key={reply.name} className="grid gap-4 sm:grid-cols-[2fr_1fr]">
                <Field label={reply.label} name={reply.name}>
                  {(control) => (
                    <textarea
                      {...control}
                      key={data[reply.name]}
                      dir="auto"
                      rows={3}
                      maxLength={BODY_MAX_CHARACTERS}
                      placeholder={DEFAULT_KEYWORD_REPLIES[reply.name]}
                      className="field"
                      defaultValue={data[reply.name] ?? ''}
                    />
                  )}
                </Field>
                <Field label={words.label} name={words.name} hint={strings.wordsHint}>
                  {(control) => (
                    <textarea
                      {...control}
                      key={data[words.name].join('\n')}
                      dir="auto"
                      rows={2}
                      className="field"
                      defaultValue={data[words.name].join('\n')}
                    />
                  )}
                </Field>
              </div>
            ))}
          </ReadOnlyUnless>
          <FailureNotice error={change.error} />
          {change.isSuccess && <Notice tone="good">{actions.saved}</Notice>}
          <IfMay permission="change">
            <Button type="submit" kind="primary" isBusy={change.isPending}>
              {strings.saveReplies}
            </Button>
          </IfMay>
        </Form>
      )}
    </Section>
  );
}
