import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
});
const { data } = values;
const response = await fetch(positionals[0], {
  method: values.request ?? (data === undefined ? 'GET' : 'POST'),
  headers: values.header.map((line) => line.split(/: */, 2)),
  ...(data !== undefined && { body: data }),
});
process.stdout.write(Buffer.from(await response.arrayBuffer()));
