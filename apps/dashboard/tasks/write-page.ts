import type { Effort } from './hands.ts';
import { OTHER_WAYS } from './other-products.ts';

export interface DoneTask {
  group: string;
  name: string;
  start: string;
  effort: Effort;
  seconds: number;
}

const INTRODUCTION = `# Tasks

The tasks of a team’s day, and what each takes in Switchboard. \`npm run tasks\` performs each task in Chromium with mouse and
keyboard, in a workspace with two weeks of messages, waits until the page shows that the task is done, and writes this
page. The scripts are in \`apps/dashboard/tasks\`.

- Choosing from a list counts as two clicks: one opens the list, and one selects. Choosing a file counts as three: the
  button in the dashboard, the file, and the button that opens it. A key is a shortcut, Enter or an arrow. Characters are
  those of the user’s own text, names, numbers and dates.
- Seconds are those of the script, from the first action until the result is visible. A script does not read, think or
  move a hand, so the seconds show what the dashboard and the service need, not what a person needs.
- A task starts on the page in the last column, or on the messages. No task depends on another.
`;

const COMPARISON = `## Other products

What other products need for the same tasks according to their public documentation. We have not used the products.

- “documented” means that the page names each key or click. “estimate” means that we counted the steps that the page
  describes, with the rules above; typing is not counted.
- A task is missing where we found no page that describes it. That does not mean that the product cannot do it. No
  page says how long a task takes, so there are no seconds.
`;

/** Writes the page with the tasks, and with what other products need for them. */
export function writePage(done: readonly DoneTask[]): string {
  const groups = [...new Set(done.map(({ group }) => group))].map((title) => {
    const tasks = done.filter(({ group }) => group === title);
    return `## ${title}\n\n${toTable(
      ['task', 'clicks', 'keys', 'characters', 'seconds', 'starts on'],
      tasks.map(({ name, effort, seconds, start }) => [
        name,
        effort.clicks,
        effort.keys,
        effort.characters,
        seconds < 0.05 ? '< 0.1' : seconds.toFixed(1),
        start === 'messages' ? '' : `\`${start}\``,
      ]),
    )}`;
  });
  return [INTRODUCTION, ...groups, `${COMPARISON}\n${compare(done)}`].join('\n');
}

function compare(done: readonly DoneTask[]): string {
  const unknown = Object.keys(OTHER_WAYS).filter(
    (name) => !done.some((task) => task.name === name),
  );
  if (unknown.length > 0)
    throw new Error(`other products have an entry for an unknown task: ${unknown.join(', ')}`);
  const head = ['task', 'product', 'clicks', 'keys', 'here', 'basis', 'the documented way', 'page'];
  const rows = done.flatMap(({ name, effort }) =>
    (OTHER_WAYS[name] ?? []).map(({ product, way, clicks, keys, basis, title, page }) => [
      name,
      product,
      clicks,
      keys,
      `${count(effort.clicks, 'click')}, ${count(effort.keys, 'key')}`,
      basis,
      way,
      `[${title}](${page})`,
    ]),
  );
  return toTable(head, rows);
}

const count = (value: number, noun: string): string => `${value} ${noun}${value === 1 ? '' : 's'}`;

function toTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
