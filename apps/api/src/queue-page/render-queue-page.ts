import { maskPhoneNumber } from '@switchboard/core';
import type {
  Survey,
  SurveyedMessage,
  UnfinishedState,
  WorkspaceBacklog,
} from '@switchboard/database';
import { maskLine } from '@switchboard/runtime';
import { type Html, html } from '../http/html.ts';

/** The page's only style sheet; the Content-Security-Policy contains its hash. */
export const STYLE = `
:root { color-scheme: light dark; --line: #d9dee5; --text: #1b2430; --faint: #5b6776; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --line: #323b47; --text: #e5eaf0; --faint: #9aa7b5;
  --bad: #ff8a80; } body { background: #11161c; } }
body { margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 80rem; color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; } h2 { margin: 2.5rem 0 .5rem; font-size: 1.1rem; } p { margin: .25rem 0; }
.faint { color: var(--faint); } .bad { color: var(--bad); font-weight: 600; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0;
  border-bottom: 1px solid var(--line); } th { color: var(--faint); font-weight: 600; }
.n { display: block; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere; }
`;

// Not escaped, because the hash covers every character.
const STYLE_ELEMENT: Html = { html: `<style>${STYLE}</style>` };

const STATES: Record<UnfinishedState, string> = {
  waiting: 'Waiting to be sent',
  held_back: 'Waiting for their next attempt',
  inflight: 'Being sent now',
  unknown: 'Outcome unknown',
  awaiting_status: 'Sent, waiting for the final status',
  scheduled: 'Scheduled',
};

export interface QueuePageData {
  /** The backend of the queue. */
  backend: string;
  /** Jobs by state; null while the queue does not respond. */
  counts: Readonly<Record<string, number>> | null;
  survey: Survey;
  at: Date;
}

export function renderQueuePage({ backend, counts, survey, at }: QueuePageData): string {
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta http-equiv="refresh" content="10" />
      <title>Queue · Switchboard</title>
      ${STYLE_ELEMENT}
    </head>
    <body>
      <h1>Queue</h1>
      <p class="faint">As of ${formatTime(at)}; the page reloads every ten seconds.</p>
      <h2>Unfinished messages</h2>
      ${renderStates(survey)}
      <h2>Jobs in the queue, each with up to 16 hints, on ${backend}</h2>
      ${renderHints(counts)}
      <h2>Backlog by workspace</h2>
      ${renderBacklogs(survey.workspaces, at)}
      <h2>Outcome unknown</h2>
      ${renderProblems(survey.unknown, 'Since', at)}
      <h2>Recently failed</h2>
      ${renderProblems(survey.failed, 'At', at)}
    </body>
  </html>`;
  return `<!doctype html>${page.html}`;
}

function renderStates({ states, isPartial }: Survey): Html {
  const rows = Object.entries(STATES).map(([name, title]) => {
    const found = states.find(({ state }) => state === name);
    const age = found === undefined || name === 'scheduled' ? '' : formatSpan(found.oldestSeconds);
    return [title, number(found?.count ?? 0), number(age)];
  });
  const table = renderTable(['State', number('Messages'), number('Oldest')], rows);
  if (!isPartial) return table;
  return html`${table}
    <p class="bad">
      There are more messages: only those that are due first are counted, here and below.
    </p>`;
}

function renderHints(counts: QueuePageData['counts']): Html {
  if (counts === null) {
    return html`<p class="bad">The queue does not respond; sweepers send the messages.</p>`;
  }
  const rows = Object.entries(counts).map(([state, count]) => [state, number(count)]);
  return renderTable(['State', number('Jobs')], rows);
}

function renderBacklogs(workspaces: readonly WorkspaceBacklog[], at: Date): Html {
  const heads = [
    'Waiting',
    'Oldest',
    'Waiting for next attempt',
    'Next attempt in',
    'In flight',
    'Unknown',
  ].map(number);
  return renderTable(
    ['Workspace', ...heads, 'Provider'],
    workspaces.map((one) => [
      html`${one.name}<br /><code class="faint">${one.id}</code>`,
      number(one.waiting),
      number(one.oldestSeconds === null ? '' : formatSpan(one.oldestSeconds)),
      number(one.heldBack),
      number(one.nextTryAt === null ? '' : formatSpan((+one.nextTryAt - +at) / 1000)),
      number(one.inflight),
      number(one.unknown),
      renderPause('credentials refused', one.refusedSince, one.refusedDetail) ??
        renderPause('failing', one.failingSince, one.failingDetail) ??
        '',
    ]),
  );
}

function renderPause(what: string, since: Date | null, detail: string | null): Html | null {
  if (since === null) return null;
  return html`<span class="bad">${what} since ${formatTime(since)}</span>
    ${maskLine(detail ?? '')}`;
}

function renderProblems(messages: readonly SurveyedMessage[], when: string, now: Date): Html {
  return renderTable(
    ['Message', 'Workspace', 'To', number('Attempts'), 'Cause', when],
    messages.map(({ at, ...one }) => [
      html`<code>${one.id}</code><br /><code class="faint">${maskLine(one.requestId ?? '')}</code>`,
      one.workspaceName,
      maskPhoneNumber(one.to),
      number(one.attempt),
      html`<code>${one.errorCode ?? ''}</code> ${maskLine(one.errorDetail ?? '')}`,
      html`${formatTime(at)}<br /><span class="faint"
          >${formatSpan((+now - +at) / 1000)} ago</span
        >`,
    ]),
  );
}

type Cell = string | Html;

function number(value: number | string): Html {
  const text = typeof value === 'number' ? value.toLocaleString('en') : value;
  return html`<span class="n">${text}</span>`;
}

function renderTable(heads: readonly Cell[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p class="faint">None.</p>`;
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function formatTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7_200) return `${Math.round(whole / 60)} min`;
  if (whole < 172_800) return `${Math.round(whole / 3_600)} h`;
  return `${Math.round(whole / 86_400)} d`;
}
