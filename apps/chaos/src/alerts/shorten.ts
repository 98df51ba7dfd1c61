/**
 * Makes the repository's own rules and configuration fit for a run of minutes, by nothing but their
 * times: windows and `for:` are so many times shorter, Prometheus looks every second. Expressions,
 * labels and thresholds stay as they are.
 */
const TIMES_SHORTER = 30;
const LOOK_EVERY = '1s';

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** What is shortened in a rules file: `[5m]` and `for: 5m`. */
export function shortenRules(rules: string): string {
  return shortenWindows(rules).replaceAll(
    /^(\s+for: )(\d+[smhd])$/gm,
    (_line, before: string, duration: string) => before + shorten(duration),
  );
}

export function shortenWindows(expression: string): string {
  return expression.replaceAll(
    /\[(\d+[smhd])\]/g,
    (_window, duration: string) => `[${shorten(duration)}]`,
  );
}

function shorten(duration: string): string {
  const seconds = Number(duration.slice(0, -1)) * (UNIT_SECONDS[duration.slice(-1)] ?? NaN);
  return `${Math.ceil(seconds / TIMES_SHORTER)}s`;
}

/**
 * `prometheus.yml` with other addresses for its jobs, and intervals of a second. The proxy's job and
 * rules go: no proxy stands before the processes that are watched here.
 */
export function adaptConfiguration(
  configuration: string,
  targets: Readonly<Record<string, readonly string[]>>,
): string {
  let adapted = configuration.replaceAll(
    /^(\s+(?:scrape|evaluation)_interval: )\S+$/gm,
    `$1${LOOK_EVERY}`,
  );
  adapted = adapted
    .replace(/^ +- proxy-alerts\.yml\n/m, '')
    .replace(/^ +- job_name: haproxy\n( {4,}.+\n)+/m, '');
  for (const [job, addresses] of Object.entries(targets)) {
    const jobsTargets = new RegExp(`(job_name: ${job}\\n\\s+static_configs:\\n\\s+- targets: ).+`);
    if (!jobsTargets.test(adapted)) throw new Error(`prometheus.yml has no targets for ${job}`);
    adapted = adapted.replace(jobsTargets, `$1${JSON.stringify(addresses)}`);
  }
  return adapted;
}
