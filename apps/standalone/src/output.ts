import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const COLORS = [36, 33, 35, 32, 34]; // cyan, yellow, magenta, green, blue
const NAME_WIDTH = 9;

/** Copies the output of a child process with its name before each line, and calls `onLine`. */
export function prefixLines(
  input: Readable,
  name: string,
  output: NodeJS.WriteStream,
  onLine: (line: string) => void,
): void {
  const label = `${name.padEnd(NAME_WIDTH)} |`;
  const color = COLORS[[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 5];
  const prefix = output.isTTY ? `\u001B[${color}m${label}\u001B[0m` : label;
  createInterface({ input }).on('line', (line) => {
    onLine(line);
    output.write(`${prefix} ${line}\n`);
  });
}
