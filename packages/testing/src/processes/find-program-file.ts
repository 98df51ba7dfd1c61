import { join } from 'node:path';
import { ROOT_FOLDER } from '../root-folder.ts';

/** Returns the program of an app, or of a command of `apps/cli`, below the folder of a checkout or of a release. */
export const findProgramFile = (name: string, root: string = ROOT_FOLDER): string =>
  join(root, 'dist', `${name}.js`);

/** Returns the compiled file of an app, which loads each module and library from its own file. */
export const findCompiledApp = (name: string): string =>
  join(ROOT_FOLDER, 'apps', name, 'dist/main.js');
