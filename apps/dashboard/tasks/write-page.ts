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

What each task of a team’s day takes. \`npm run tasks\` performs them in Chromium with mouse and keyboard, in a workspace with two
weeks of messages, waits until the page shows that each is done, and writes this page. The scripts are in \`apps/dashboard/tasks\`.

- Choosing from a list counts as two clicks, choosing a file as three (the button in the dashboard, the file, and the button that
  opens it). A key is a shortcut, Enter or an arrow. Characters are those of the user’s own text, names, numbers and dates.
- Seconds are those of the script, from the first action until the result is visible: what the dashboard and the service need,
  not what a person needs.
- A task starts on the page in the last column, or on the messages. No task depends on another, except in the first table, which is the
  path of a new team from an empty database. There the seconds include the way of each mail, a code is that of the authenticator app, and a
  command is run in a shell as it was copied.
`;

const COMPARISON = `## Other products

What other products need for the same tasks according to the linked pages of their documentation, as clicks + keys. We have not
used the products. \`*\`: the page names each key or click. Otherwise we counted the steps that it describes, with the rules above.
Typing is not counted. A task is missing where we found no page that describes it.
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
        start === 'messages' ? '' : start === 'a mail' ? start : `\`${start}\``,
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
  const rows = done.flatMap(({ name, effort }) => {
    const ways = OTHER_WAYS[name] ?? [];
    const others = ways.map(
      ({ product, page, basis, isPartial, ...way }) =>
        `[${product}](${page}) ${formatEffort(way)}${basis === 'documented' ? '*' : ''}${isPartial === true ? ' for a part of the task' : ''}`,
    );
    return ways.length === 0 ? [] : [[name, formatEffort(effort), others.join('; ')]];
  });
  return toTable(['task', 'here', 'other products'], rows);
}

const formatEffort = ({ clicks, keys }: Pick<Effort, 'clicks' | 'keys'>): string =>
  `${clicks}+${keys}`;

function toTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
