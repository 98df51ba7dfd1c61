import type { AlertProof } from './prove-alerts.ts';

const NEVER = '—';

/** Returns a Markdown table, followed by all problems. */
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
    `${proof.seconds} s in total`,
  ].join('\n');
}

/** Returns all problems of a run, one sentence each. */
export function listProblems(proof: AlertProof): string[] {
  return [
    ...proof.findings.flatMap(({ problem }) => (problem === null ? [] : problem)),
    ...proof.falseAlarms.map((alert) => `${alert} fired without a fault`),
    ...proof.untested.map((alert) => `${alert} has no fault that causes it`),
    ...proof.emptyPanels.map((panel) => `The dashboard has no data in ${panel}`),
    ...proof.flatPanels.map((panel) => `The dashboard has no value above 0 in ${panel}`),
  ];
}
