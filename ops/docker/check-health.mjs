// node check-health.mjs /health/live|/health/ready
// Checks an API or a worker: a container of this image runs one of them, so only one of the ports is open.
const [path = '/health/ready'] = process.argv.slice(2);
const { PORT = '3000', METRICS_PORT = '9464' } = process.env;

async function isHealthy(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(4_000),
    });
    return response.ok;
  } catch {
    return false;
  }
}

const results = await Promise.all([PORT, METRICS_PORT].map(isHealthy));
process.exit(results.includes(true) ? 0 : 1);
