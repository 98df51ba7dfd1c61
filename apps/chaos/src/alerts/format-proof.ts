import type { AlertProof } from './prove-alerts.ts';

const NEVER = '—';

/** As a table of Markdown, with all that is wrong below it. */
export function formatProof(proof: AlertProof): string {
  const rows = proof.findings
    .toSorted((a, b) => (a.alert < b.alert ? -1 : 1))
    .map(
      ({ alert, what, secondsToFire, secondsToResolve }) =>
        `| ${alert} | ${what} | ${secondsToFire ?? NEVER} | ${secondsToResolve ?? NEVER} |`,
    );
  return [
    '| alert | fault | seconds to fire | seconds to resolve |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...listProblems(proof),
    `${proof.seconds} s in all`,
  ].join('\n');
}

/** Empty when all is as it should be. */
export function listProblems(proof: AlertProof): string[] {
  return [
    ...proof.findings.flatMap(({ problem }) => (problem === null ? [] : problem)),
    ...proof.falseAlarms.map((alert) => `${alert} fired while nothing was wrong`),
    ...proof.untried.map((alert) => `${alert} has no fault here that causes it`),
    ...proof.emptyPanels.map((panel) => `The dashboard shows nothing in ${panel}`),
    ...proof.flatPanels.map((panel) => `The dashboard has shown nothing but 0 in ${panel}`),
  ];
}
