import { type Finding, describeFailure } from './finding.ts';

const TIMEOUT_MS = 5_000;
const part = 'public URL';
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether providers could call back: over TLS, and to an API of ours. */
export async function checkPublicUrl(publicUrl: string): Promise<Finding> {
  const { protocol, hostname } = new URL(publicUrl);
  const isLoopback = LOOPBACK.test(hostname);
  if (protocol !== 'https:' && !isLoopback) {
    const text = `${publicUrl} is not https, so callbacks and API keys travel in the clear: put TLS in front and set PUBLIC_URL to https.`;
    return { verdict: 'bad', part, text };
  }
  let answer: string;
  try {
    const response = await fetch(`${publicUrl}/health/live`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = response.ok ? '' : `it answers ${response.status}`;
    await response.body?.cancel();
  } catch (error) {
    answer = describeFailure(error);
  }
  if (answer !== '') {
    const text = `${publicUrl}/health/live is not reached from here (${answer}): check DNS, certificate and proxy, and that an API runs behind it.`;
    return { verdict: 'bad', part, text };
  }
  return isLoopback
    ? {
        verdict: 'doubtful',
        part,
        text: `${publicUrl} is this machine's own, which only the simulator can call back: set PUBLIC_URL to a public address for a real provider.`,
      }
    : { verdict: 'good', part, text: `${publicUrl} answers.` };
}
