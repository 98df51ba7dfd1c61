import { type Violation, countViolations } from './oracle/violation.ts';

const MAX_VIOLATIONS_SHOWN = 20;

/** Formats a report: its own lines, the violations, and the folder of the evidence. */
export function formatLines(
  lines: readonly (readonly [name: string, text: string])[],
  report: { violations: readonly Violation[]; evidence: string | null },
): string {
  const shown = report.violations
    .slice(0, MAX_VIOLATIONS_SHOWN)
    .map(({ check, detail }) => `  ${check}: ${detail.replaceAll(/\s+/g, ' ')}`);
  const more = report.violations.length - shown.length;
  const counted = [...lines, ['violations', formatCounts(countViolations(report))] as const];
  return [
    ...counted.map(([name, text]) => `${name.padEnd(11)} ${text}`),
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(report.evidence === null ? [] : [`evidence    ${report.evidence}`]),
  ].join('\n');
}

export function formatCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
