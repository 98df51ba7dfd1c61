import { type Socket, createSocket } from 'node:dgram';
import { lookup as lookUpInSystem } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLookUpName } from '../src/http/look-up-name.ts';
import { createResolveAllowed } from '../src/http/resolve-allowed.ts';

const TYPES = { A: 1, AAAA: 28 } as const;
const NOT_FOUND = 3;
const FAILED = 2;

/** The records of the name server; an unlisted name does not exist. */
const RECORDS: Record<
  string,
  Partial<Record<keyof typeof TYPES, string[] | 'silent' | 'failed'>>
> = {
  'both.test': { A: ['93.184.216.34', '93.184.216.35'], AAAA: ['2606:4700::1111'] },
  'four.test': { A: ['93.184.216.34'] },
  'six.test': { AAAA: ['2606:4700::1111'] },
  'no-answer-to-aaaa.test': { A: ['93.184.216.34'], AAAA: 'silent' },
  'failed-aaaa.test': { A: ['93.184.216.34'], AAAA: 'failed' },
  'failed.test': { A: 'failed', AAAA: 'failed' },
  'smsc.corp.test': { A: ['10.20.30.40'] },
  'half-private.test': { A: ['93.184.216.34', '10.0.0.1'] },
};

let server: Socket;
/** Whether names under `hanging.test` get no response. */
let isHanging = true;
let folder: string;
let sources: { servers: string[]; hostsFile: string; resolverFile: string };

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const answer = answerTo(query);
    if (answer !== null) server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  folder = await mkdtemp(join(tmpdir(), 'look-up-name-'));
  sources = {
    servers: [`127.0.0.1:${server.address().port}`],
    hostsFile: join(folder, 'hosts'),
    resolverFile: join(folder, 'resolv.conf'),
  };
  await writeFile(
    sources.hostsFile,
    '# hosts\n127.0.0.1 localhost\n::1 localhost ip6-localhost\nfe80::1%lo0 localhost\n192.0.2.7\tSMSC.internal smsc # ours\n',
  );
  await writeFile(sources.resolverFile, 'nameserver 192.0.2.1\nsearch missing.test corp.test.\n');
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** Answers a DNS query; null for a name that hangs. */
function answerTo(query: Buffer): Buffer | null {
  const labels: string[] = [];
  let end = 12;
  for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
    labels.push(query.toString('latin1', end + 1, end + 1 + length));
    end += length + 1;
  }
  const type = query.readUInt16BE(end + 1);
  const name = labels.join('.').toLowerCase();
  if (name.endsWith('.hanging.test') && isHanging) return null;
  const known = name.endsWith('.hanging.test') ? RECORDS['four.test'] : RECORDS[name];
  const records = (type === TYPES.A ? known?.A : known?.AAAA) ?? [];
  if (records === 'silent') return null;
  const question = query.subarray(12, end + 5);
  const header = Buffer.from(query.subarray(0, 12));
  const code = records === 'failed' ? FAILED : known === undefined ? NOT_FOUND : 0;
  const answers = records === 'failed' ? [] : records.map((address) => toRecord(type, address));
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, question, ...answers]);
}

function toRecord(type: number, address: string): Buffer {
  const data = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from('26064700000000000000000000001111', 'hex');
  // A pointer to the name in the question, the type, the class, a TTL of 1 s and the length.
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length]);
  return Buffer.concat([head, data]);
}

const addressesOf = async (name: string) =>
  (await createLookUpName(sources)(name)).map(({ address }) => address);

test('a name has the addresses of both families, and of one if the name server has or answers no other', async () => {
  expect(await createLookUpName(sources)('both.test')).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '93.184.216.35', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  expect(await addressesOf('BOTH.test.')).toHaveLength(3);
  expect(await addressesOf('six.test')).toEqual(['2606:4700::1111']);
  for (const name of ['four.test', 'no-answer-to-aaaa.test', 'failed-aaaa.test']) {
    expect(await addressesOf(name)).toEqual(['93.184.216.34']);
  }
});

test('a name in the hosts file needs no name server, and a search domain completes a short name', async () => {
  expect(await addressesOf('smsc.internal')).toEqual(['192.0.2.7']);
  expect(await addressesOf('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await addressesOf('smsc')).toEqual(['192.0.2.7']);
  await writeFile(sources.hostsFile, '127.0.0.1 localhost\n');
  expect(await addressesOf('smsc')).toEqual(['10.20.30.40']);
  await expect(addressesOf('smsc.')).rejects.toThrow('(ENOTFOUND)');
});

test('a name that does not exist, or whose name server fails, is refused with the reason', async () => {
  await expect(addressesOf('missing.example')).rejects.toThrow(
    'The host name can’t be resolved (ENOTFOUND)',
  );
  await expect(addressesOf('failed.test')).rejects.toThrow('(ESERVFAIL)');
});

test('without the files of the system, names are resolved by DNS alone', async () => {
  const lookUp = createLookUpName({
    servers: sources.servers,
    hostsFile: join(folder, 'missing'),
    resolverFile: join(folder, 'missing'),
  });
  expect(await lookUp('four.test')).toEqual([{ address: '93.184.216.34', family: 4 }]);
});

test('a name whose name server does not answer fails after the time limit', async () => {
  const lookUp = createLookUpName({ ...sources, timeoutMs: 100 });
  await expect(lookUp('one.hanging.test')).rejects.toThrow('(ETIMEOUT)');
});

test('200 names that hang delay neither other names nor the lookups of the system', async () => {
  const lookUp = createLookUpName({ ...sources, timeoutMs: 60_000 });
  let ended = 0;
  const hanging = Array.from({ length: 200 }, async (_, index) => {
    const addresses = await lookUp(`n${index}.hanging.test`);
    ended += 1;
    return addresses;
  });
  expect(await lookUp('four.test')).toHaveLength(1);
  expect((await lookUpInSystem('localhost', { all: true })).length).toBeGreaterThan(0);
  // All names still hang, so none of them has made the others wait.
  expect(ended).toBe(0);
  isHanging = false;
  expect((await Promise.all(hanging)).flat()).toHaveLength(200);
});

test('a host name is refused if DNS has one private address among public ones', async () => {
  const resolveAllowed = createResolveAllowed({ lookup: createLookUpName(sources) });
  expect(await resolveAllowed('four.test')).toHaveLength(1);
  for (const name of ['half-private.test', 'smsc.corp.test', 'localhost']) {
    await expect(resolveAllowed(name)).rejects.toThrow('does not resolve to a public');
  }
});
