import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const COLOURS = [36, 33, 35, 32, 34]; // cyan, yellow, magenta, green, blue
const NAME_WIDTH = 9;

/** Copies a child's lines to our output, each with the child's name; `onLine` sees them too. */
export function prefixLines(
  input: Readable,
  name: string,
  output: NodeJS.WriteStream,
  onLine: (line: string) => void,
): void {
  const label = `${name.padEnd(NAME_WIDTH)} |`;
  const colour = COLOURS[[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 5];
  const prefix = output.isTTY ? `\u001B[${colour}m${label}\u001B[0m` : label;
  createInterface({ input }).on('line', (line) => {
    onLine(line);
    output.write(`${prefix} ${line}\n`);
  });
}
