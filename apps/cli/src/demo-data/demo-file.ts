import { readFile, rename, writeFile } from 'node:fs/promises';
import { isUuid } from '@switchboard/core';

/** The content of `demo.json`. Its fields are part of the public interface. */
export interface DemoFile {
  base_url: string;
  simulator_url: string;
  /** The simulator's URL for the API of each provider. Absent if the simulator was not running. */
  provider_urls?: Record<string, string>;
  email: string;
  password: string;
  workspace_id: string;
  api_key: string;
  from: string;
  account_sid: string;
  auth_token: string;
}

/** Returns null if there is no such file or it is not a demo file. */
export async function readDemoFile(path: string): Promise<DemoFile | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    const demo = JSON.parse(text) as Partial<DemoFile>;
    return typeof demo.workspace_id === 'string' && isUuid(demo.workspace_id)
      ? (demo as DemoFile)
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Writes the file completely or not at all, readable only by its owner. */
export async function writeDemoFile(path: string, demo: DemoFile): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}
