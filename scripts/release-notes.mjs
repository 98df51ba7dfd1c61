// npm run release:notes -- 0.2.0
// Prints the section of a version in the changelog, which is the text of the release.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const [version] = process.argv.slice(2);
const changelog = readFileSync(path.resolve(import.meta.dirname, '../CHANGELOG.md'), 'utf8');
const section = changelog.split(/^(?=## \[)/m).find((text) => text.startsWith(`## [${version}]`));
if (section === undefined) {
  console.error(`CHANGELOG.md has no section for version ${version ?? '(none was given)'}.`);
  process.exitCode = 1;
} else {
  console.log(section.replace(/^.*\n+/, '').trimEnd());
}
