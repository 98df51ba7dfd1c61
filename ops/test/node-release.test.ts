import { expect, test } from 'vitest';
import { readRootFile } from './settings-in-code.ts';

const release = readRootFile('.nvmrc').trim();
const [major, minor] = release.split('.');

test('image, guides and .nvmrc name the same Node release, and engines allows the previous one', () => {
  expect(release).toMatch(/^\d+\.\d+\.\d+$/);
  const image = /^ARG NODE_IMAGE=(\S+)$/m.exec(readRootFile('Dockerfile'))?.[1];
  expect(image).toMatch(
    new RegExp(`^node:${major}\\.${minor}-bookworm-slim(@sha256:[0-9a-f]{64})?$`),
  );
  expect(readRootFile('docs/deploy.md')).toContain(`release=v${release}\n`);
  expect(readRootFile('docs/deploy.md')).toContain(`image=node:${major}.${minor}-bookworm-slim\n`);
  expect(readRootFile('README.md')).toContain(`Node ${major} (the current LTS`);
  const { engines } = JSON.parse(readRootFile('package.json')) as { engines: { node: string } };
  expect(engines.node).toBe('>=20.19');
});

test('CI checks the code and runs a subset of the tests with the Node release of the image', () => {
  const lines = readRootFile('.ci/run').split('\n');
  expect(lines).toEqual(
    expect.arrayContaining(['npm run check', 'npm test', `npm run test:node-${major}`]),
  );
});
