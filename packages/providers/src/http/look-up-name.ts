import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

export interface Address {
  address: string;
  family: number;
}

/** Limit for a name with all its queries. */
const TIMEOUT_MS = 5_000;
/** How long one name server has for the first query. c-ares doubles it for each further one. */
const QUERY_TIMEOUT_MS = 1_500;
/** How long the addresses of one family wait for those of the other. Some name servers ignore AAAA queries. */
const OTHER_FAMILY_MS = 1_000;
const MAX_SEARCHED = 6;

export interface NameSources {
  /** Defaults to those in `/etc/resolv.conf`. */
  servers?: readonly string[];
  hostsFile?: string;
  /** The file with the domains that complete a short name. */
  resolverFile?: string;
  timeoutMs?: number;
}

/**
 * Creates the function that resolves host names that users and providers choose. `dns.lookup` would use a
 * thread of libuv for each name, of which a process has two. Two names whose name server does not respond
 * would stop every other lookup of the process, those of the database among them.
 * These queries need no thread.
 *
 * Like the system, it reads the hosts file first and completes short names with the search domains. The
 * files are read for each name, so changes apply at once.
 */
export function createLookUpName(sources: NameSources = {}) {
  const { servers, timeoutMs = TIMEOUT_MS } = sources;
  const { hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' } = sources;

  return async function lookUpName(hostname: string): Promise<Address[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const listed = findInHosts(await readText(hostsFile), name);
    if (listed.length > 0) return listed;
    const domains = hostname.endsWith('.') ? [] : readSearch(await readText(resolverFile));
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 3 });
    if (servers !== undefined) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      for (const full of [name, ...domains.map((domain) => `${name}.${domain}`)]) {
        const addresses = await query(resolver, full);
        if (addresses.length > 0) return addresses;
      }
    } finally {
      clearTimeout(deadline);
    }
    throw toError('ENOTFOUND');
  };
}

/** Returns no address if the name does not exist. */
async function query(resolver: Resolver, name: string): Promise<Address[]> {
  let impatience: NodeJS.Timeout | undefined;
  const ask = async (addresses: Promise<string[]>, family: 4 | 6): Promise<Address[]> => {
    const found = (await addresses).map((address) => ({ address, family }));
    impatience ??= setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS);
    return found;
  };
  const results = await Promise.allSettled([
    ask(resolver.resolve4(name), 4),
    ask(resolver.resolve6(name), 6),
  ]);
  clearTimeout(impatience);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const codes = results.map((result) => (result.status === 'rejected' ? readCode(result) : null));
  const failure = codes.find((code) => code !== null && !/^ENO(TFOUND|DATA)$/.test(code));
  if (found.length === 0 && failure) throw toError(failure === 'ECANCELLED' ? 'ETIMEOUT' : failure);
  return found;
}

const readCode = ({ reason }: PromiseRejectedResult): string =>
  (reason as NodeJS.ErrnoException).code ?? String(reason);

function toError(code: string): Error {
  return Object.assign(new Error(`The host name can’t be resolved (${code})`), { code });
}

/** A container may have neither file. */
async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function findInHosts(text: string, name: string): Address[] {
  return (
    readLines(text)
      .filter(([, ...names]) => names.some((each) => each.toLowerCase() === name))
      .map(([address = '']) => ({ address, family: isIP(address) }))
      // macOS lists an address with a zone for localhost.
      .filter(({ address, family }) => family !== 0 && !address.includes('%'))
  );
}

/** Returns the domains of the last line that names any, as resolv.conf(5) defines. */
function readSearch(text: string): string[] {
  const lines = readLines(text).filter(([keyword = '']) => /^(search|domain)$/.test(keyword));
  const [, ...domains] = lines.at(-1) ?? [];
  return domains
    .map((domain) => domain.replace(/\.$/, ''))
    .filter(Boolean)
    .slice(0, MAX_SEARCHED);
}

function readLines(text: string): string[][] {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/[#;].*/, '')
        .trim()
        .split(/\s+/),
    )
    .filter((words) => words.length > 1);
}
