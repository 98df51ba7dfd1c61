import type { DoctorSettings } from '../config.ts';
import type { Finding } from './finding.ts';

const part = 'settings';

/** Reports each invalid setting, and each variable that is probably a misspelled setting. */
export function checkSettings({
  problems,
  misspelled,
}: Pick<DoctorSettings, 'problems' | 'misspelled'>): Finding[] {
  const findings = [
    ...[...problems].map(([name, problem]) => `${name}: ${problem}`),
    ...misspelled.map(
      ({ setting, similarTo }) =>
        `${setting} is not a setting, so it has no effect: rename it to ${similarTo}, or remove it.`,
    ),
  ].map((detail): Finding => ({ result: 'problem', part, detail }));
  return findings.length > 0
    ? findings
    : [{ result: 'good', part, detail: 'All settings are valid.' }];
}
