/**
 * A run that takes minutes uses the rules and the configuration of the repository with shorter times: windows
 * and `for:` are divided by this number, and Prometheus scrapes and evaluates every second. Expressions,
 * labels and thresholds are unchanged.
 */
const TIMES_SHORTER = 30;
const INTERVAL = '1s';

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Shortens every `[5m]`, `[1h:5m]` and `for: 5m` of a rules file. */
export function shortenRules(rules: string): string {
  return shortenWindows(rules).replaceAll(
    /^(\s+for: )(\d+[smhd])$/gm,
    (_line, before: string, duration: string) => before + shorten(duration),
  );
}

export function shortenWindows(expression: string): string {
  return expression.replaceAll(/\[\d+[smhd](?::\d+[smhd])?\]/g, (window) =>
    window.replaceAll(/\d+[smhd]/g, shorten),
  );
}

function shorten(duration: string): string {
  const seconds = Number(duration.slice(0, -1)) * (UNIT_SECONDS[duration.slice(-1)] ?? NaN);
  return `${Math.ceil(seconds / TIMES_SHORTER)}s`;
}

/** The rules on metrics of the service's own processes. */
export const RULE_FILES = ['alerts.yml', 'service-levels.yml'] as const;

/**
 * Returns `prometheus.yml` with the addresses of `targets` and intervals of a second. Removes the
 * other jobs and rule files, because neither a proxy nor exporters run here.
 */
export function adaptConfiguration(
  configuration: string,
  targets: Readonly<Record<string, readonly string[]>>,
): string {
  const adapted = configuration
    .replaceAll(/^(\s+(?:scrape|evaluation)_interval: )\S+$/gm, `$1${INTERVAL}`)
    .replaceAll(/^ +- (\S+\.yml)\n/gm, (line, name: string) =>
      RULE_FILES.some((kept) => kept === name) ? line : '',
    );
  const [head = '', ...jobs] = adapted.split(/^(?= +- job_name: )/m);
  const kept = Object.entries(targets).map(([job, addresses]) => {
    const text = jobs.find((one) => one.trimStart().startsWith(`- job_name: ${job}\n`));
    if (text === undefined) throw new Error(`prometheus.yml has no job ${job}`);
    return text.replace(/(- targets: ).+/, `$1${JSON.stringify(addresses)}`);
  });
  return [head, ...kept].join('');
}
