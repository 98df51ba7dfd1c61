import { expect, test } from 'vitest';
import { countViolations } from '../src/oracle/violation.ts';
import { formatReport } from '../src/report.ts';
import { runChaos } from '../src/run-chaos.ts';

test.each(['postgres', 'redis'] as const)(
  'a provider that accepts after the hold causes duplicates on %s, which the oracle and the service report',
  async (backend) => {
    const { report } = await runChaos({ seed: 1, messages: 100, backend, negativeControl: true });
    const { duplicated, ...others } = countViolations(report);
    expect(duplicated, formatReport(report)).toBeGreaterThan(0);
    // The broken assumption may break only this guarantee.
    expect(new Set(Object.values(others)), formatReport(report)).toEqual(new Set([0]));
    expect(report.duplicatesSeen, formatReport(report)).toBe(duplicated);
  },
);
