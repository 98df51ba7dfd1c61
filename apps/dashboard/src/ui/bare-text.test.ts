import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/** A node of the syntax tree, as far as the rule needs it. */
interface Node {
  type: string;
  start: number;
  children: Node[];
  expression: Node;
  right: Node;
  consequent: Node;
  alternate: Node;
  value: unknown;
}

const SOURCE = path.join(import.meta.dirname, '..');

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

function* walk(value: unknown): Generator<Node> {
  if (isNode(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) yield* walk(part);
}

const isElement = ({ type }: Node): boolean => type === 'JSXElement' || type === 'JSXFragment';
const hasElement = (node: Node): boolean => [...walk(node)].some(isElement);

type Kind = 'element' | 'text' | 'optional element' | 'optional text' | 'nothing';

/** Describes what a child renders. An expression without elements is taken for a text. */
function kindOf(child: Node): Kind {
  const isBlank = child.type === 'JSXText' && /^\s*$/.test(String(child.value));
  if (isBlank || child.expression?.type === 'JSXEmptyExpression') return 'nothing';
  if (child.type === 'JSXText') return 'text';
  if (child.type !== 'JSXExpressionContainer') return 'element';
  const { expression } = child;
  if (expression.type === 'LogicalExpression')
    return hasElement(expression.right) ? 'optional element' : 'optional text';
  if (expression.type === 'ConditionalExpression') {
    const branches = [expression.consequent, expression.alternate];
    const elements = branches.filter((branch) => hasElement(branch) || branch.value === null);
    if (elements.length === 2) return 'optional element';
    return elements.length === 1 ? 'optional text' : 'text';
  }
  return hasElement(expression) ? 'element' : 'text';
}

/** React inserts an element before the next sibling that is there. */
function isUnsafe(kinds: readonly Kind[]): boolean {
  return kinds.some((kind, at) => {
    if (kind === 'optional text') return true;
    const next = kinds.slice(at + 1).find((each) => each !== 'optional element');
    return kind === 'optional element' && next === 'text';
  });
}

test('no element is inserted before a bare text, and no bare text is inserted or removed beside another child', () => {
  // A browser that translates a page replaces bare texts. React then fails to insert before them and to remove them.
  const found: string[] = [];
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.tsx') && !name.startsWith('strings'))) {
    const text = readFileSync(path.join(SOURCE, file), 'utf8');
    for (const node of walk(parseSync(file, text).program)) {
      if (!isElement(node)) continue;
      const kinds = node.children.map(kindOf).filter((kind) => kind !== 'nothing');
      if (kinds.length > 1 && isUnsafe(kinds))
        found.push(`${file}:${text.slice(0, node.start).split('\n').length}: ${kinds.join(', ')}`);
    }
  }
  expect(files.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});
