// Finds words of a provider outside the folder of its adapter. Used by `check-boundaries.mjs`.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const ADAPTERS = 'packages/providers/src';
/** Folders beside the adapters that belong to no vendor, such as the one reader of phone numbers. */
const SHARED_FOLDERS = new Set(['http', 'numbers', 'sandbox']);

/** The code of the service. The simulator, chaos and bench simulate a vendor. */
const SERVICE = /^(packages\/(?!testing\/)|apps\/(api|worker|cli)\/)/;

/** Files with public names that contain a vendor's word and cannot change. */
const PUBLIC_NAMES = [
  { path: 'packages/contracts/src/provider.ts', why: 'a route for one vendor' },
  { path: 'packages/contracts/src/openapi/example-values.ts', why: 'examples' },
  { path: 'packages/contracts/src/routes/provider-account-routes.ts', why: 'a type of account' },
  { path: 'packages/providers/src/vendors.ts', why: 'the list of vendors' },
  {
    path: 'packages/providers/src/sandbox/magic-numbers.ts',
    why: 'numbers that a vendor has published',
  },
  { path: 'packages/smpp/src/', why: 'the protocol, which the simulator speaks too' },
  { path: 'apps/cli/src/demo-data/create-demo-data.ts', why: 'the provider of the demo' },
];

/** Settings such as `TWILIO_API_URL` are public names and allowed everywhere. */
const SETTING = /\b[A-Z]+_API_URL\b/g;

/** @returns {(file: string, text: string) => string[]} a function that returns the problems of a file */
export function createVendorWordCheck(root) {
  const vendors = listVendors(root);

  return function findVendorWords(file, text) {
    if (!SERVICE.test(file) || PUBLIC_NAMES.some((name) => file.startsWith(name.path))) return [];
    const rest = text.replaceAll(SETTING, '');
    return vendors
      .filter(({ name }) => !file.startsWith(`${ADAPTERS}/${name}/`))
      .flatMap(({ name, pattern }) => {
        const word = pattern.exec(rest)?.[0];
        return word === undefined
          ? []
          : [`has “${word}”, a word of ${name}, which belongs in ${ADAPTERS}/${name}`];
      });
  };
}

/** Returns the words of each vendor: its folder's name in any case, and those of its `vendor-words.json`. */
function listVendors(root) {
  const folder = path.join(root, ADAPTERS);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !SHARED_FOLDERS.has(entry.name))
    .map(({ name }) => {
      const list = path.join(folder, name, 'vendor-words.json');
      const words = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
      const anyCase = [...name].map((letter) => `[${letter}${letter.toUpperCase()}]`).join('');
      return { name, pattern: new RegExp([anyCase, ...words].join('|')) };
    });
}
