import { cpus, loadavg } from 'node:os';
import { findGoal } from './goals.ts';
import type { Unit } from './scenario.ts';

/** One measured value of a run. */
export interface Figure {
  /** The same in every run, so that `--compare` finds it. */
  name: string;
  value: number;
  unit: Unit;
}

export interface ScenarioResult {
  scenario: string;
  figures: readonly Figure[];
}

/** The format of the file that `--json` writes and `--compare` reads. */
export interface Report {
  at: string;
  short: boolean;
  machine: { cpus: number; model: string; node: string; loadBefore: number };
  results: readonly ScenarioResult[];
}

export function describeMachine(): Report['machine'] {
  const [cpu] = cpus();
  return {
    cpus: cpus().length,
    model: cpu?.model ?? 'unknown',
    node: process.version,
    // Above zero if other programs were running. Absolute figures are then too low, but ratios are valid.
    loadBefore: loadavg()[0] ?? 0,
  };
}

export function formatReport(report: Report, earlier: Report | null): string {
  const { machine } = report;
  const head = `${report.at}, ${machine.cpus} × ${machine.model}, Node ${machine.node}, load before ${machine.loadBefore.toFixed(1)}${report.short ? ', short form' : ''}`;
  const titles = ['scenario', 'figure', 'goal', 'measured', '', ...(earlier ? ['before', ''] : [])];
  const rows = report.results.flatMap(({ scenario, figures }) =>
    figures.map((figure) => [
      scenario,
      figure.name,
      ...formatGoal(scenario, figure),
      ...(earlier ? formatEarlier(figure, findFigure(earlier, scenario, figure.name)) : []),
    ]),
  );
  return [head, '', ...alignColumns([titles, ...rows])].join('\n');
}

export function formatFigure({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const digits = Math.abs(value) < 100 ? 2 : 0;
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`;
}

/** Returns the goal, the measured value, and whether it reaches the goal. */
function formatGoal(scenario: string, figure: Figure): [string, string, string] {
  const goal = findGoal(scenario, figure.name);
  if (goal === null) return ['', formatFigure(figure), ''];
  const [sign, limit] = goal;
  const isReached = sign === '≥' ? figure.value >= limit : figure.value <= limit;
  const text = `${sign} ${formatFigure({ value: limit, unit: figure.unit })}`;
  return [text, formatFigure(figure), isReached ? 'reached' : 'missed'];
}

function findFigure(report: Report, scenario: string, name: string): Figure | undefined {
  return report.results
    .find((result) => result.scenario === scenario)
    ?.figures.find((figure) => figure.name === name);
}

function formatEarlier(figure: Figure, before: Figure | undefined): string[] {
  if (before === undefined) return ['', ''];
  return [formatFigure(before), `× ${(figure.value / before.value).toFixed(2)}`];
}

function alignColumns(rows: readonly string[][]): string[] {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
