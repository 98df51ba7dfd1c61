import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as names from '#strings/names';
import * as strings from '#strings/shell';
import { Check } from '../ui/icons.ts';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import {
  anyMessageQuery,
  meQuery,
  numbersQuery,
  workspaceQuery,
} from '../api/workspace-queries.ts';
import { useMay } from '../session/use-may.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Skeleton } from '../ui/notice.tsx';
import { useCompose } from './compose-context.ts';

/**
 * The first steps in a workspace. The server's data decides which steps are done. A member sees only
 * steps that a member can take.
 */
export function GettingStarted(props: {
  workspaceId: string;
  /** Renders nothing while the state of the steps is loading. */
  quiet?: boolean;
}) {
  const { workspaceId, quiet = false } = props;
  const api = useApi();
  const compose = useCompose();
  const isOwner = useMay('manage');
  const mayChange = useMay('change');
  const { data: workspace } = useQuery(workspaceQuery(api, workspaceId));
  const { data: numbers } = useQuery(numbersQuery(api, workspaceId));
  const { data: keys } = useQuery({
    queryKey: queryKeys.settings(workspaceId, 'api-keys'),
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/api-keys', {
        params: { workspaceId },
        query: { limit: 100 },
      }),
  });
  const { data: hasMessage } = useQuery(anyMessageQuery(api, workspaceId));
  const { data: me } = useQuery(meQuery(api));

  if (
    workspace === undefined ||
    numbers === undefined ||
    keys === undefined ||
    hasMessage === undefined ||
    me === undefined
  ) {
    return quiet ? null : <Skeleton lines={4} height="h-14" />;
  }
  const steps = [
    {
      name: names.connectProvider,
      why: strings.connectProviderWhy,
      isDone: workspace.provider_configured,
      section: 'provider',
      isForOwner: true,
    },
    {
      name: strings.addANumber,
      why: strings.addNumberWhy,
      isDone: numbers.pagination.totalItems > 0,
      section: 'numbers',
      isForOwner: false,
    },
    {
      name: strings.createApiKey,
      why: strings.createKeyWhy,
      isDone: keys.data.some(({ revoked_at }) => revoked_at === null),
      section: 'api-keys',
      isForOwner: true,
    },
    {
      name: strings.sendFirstMessage,
      why: me.carrier_simulated ? strings.firstMessageSimulated : strings.firstMessageWhy,
      isDone: hasMessage,
      section: null,
      isForOwner: false,
    },
  ].filter((step) => isOwner || !step.isForOwner);
  const next = steps.find(({ isDone }) => !isDone);
  const waitsForOwner = !isOwner && !workspace.provider_configured;
  if (!mayChange || (next === undefined && !waitsForOwner)) return null;

  return (
    <section aria-labelledby="steps-title" className="card p-4">
      <h2 id="steps-title" className="mb-2 px-1 font-semibold">
        {strings.firstSteps}
      </h2>
      {waitsForOwner ? (
        <p className="px-1 text-soft">{strings.ownerConnectsProvider}</p>
      ) : (
        <ol>
          {steps.map(({ name, why, isDone, section }, index) => (
            <li
              key={name}
              className="flex items-center gap-3 border-t border-line px-1 py-3 first:border-t-0"
            >
              <span
                aria-hidden
                className={`grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold ${isDone ? 'bg-good-soft text-good' : 'bg-sunken text-soft'}`}
              >
                {isDone ? <Check size={14} /> : index + 1}
              </span>
              <div className="min-w-0 flex-1">
                <p className={`font-medium ${isDone ? 'text-soft' : ''}`}>
                  {isDone
                    ? strings.stepDone({
                        name,
                        hidden: (text) => <span className="sr-only">{text}</span>,
                      })
                    : name}
                </p>
                <p className="text-[0.8125rem] text-faint">{why}</p>
              </div>
              {!isDone &&
                (section === null ? (
                  compose !== null && (
                    <Button size="small" onClick={() => compose({})}>
                      {names.writeMessage}
                    </Button>
                  )
                ) : (
                  <Link
                    to="/w/$workspaceId/settings/$section"
                    params={{ workspaceId, section }}
                    className={buttonClass({
                      size: 'small',
                      kind: name === next?.name ? 'primary' : 'plain',
                    })}
                    aria-label={strings.setUpNamed(name)}
                  >
                    {strings.setUp}
                  </Link>
                ))}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
