import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readRootFile } from './settings-in-code.ts';

test('the Patroni recipe uses version 2 of etcd’s API, because Patroni 3.0.2 overwrites the leader key of another node with version 3', () => {
  const nodes = ['node-1', 'node-2', 'node-3'];
  const config = parse(readRootFile('ops/patroni/patroni.yml')) as { etcd?: { hosts: string } };
  expect(config).not.toHaveProperty('etcd3');
  expect(config.etcd?.hosts.split(',')).toHaveLength(nodes.length);

  const [, settings = ''] =
    /^(ETCD_NAME=.*?)^```$/ms.exec(readRootFile('docs/high-availability.md')) ?? [];
  expect(settings).toMatch(/^ETCD_ENABLE_V2=true$/m);
  for (const node of nodes) expect(settings).toContain(`${node}=http://`);
});
