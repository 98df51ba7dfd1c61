// Finds texts for users in the dashboard's code and the vendors' forms outside their catalogs. Used by `check-boundaries.mjs`.

const DASHBOARD = 'apps/dashboard/src/';
const CATALOG = `${DASHBOARD}strings/`;
/** A vendor's forms, whose texts are in a file of its folder. */
const FORM = /^packages\/providers\/src\/[^/]+\/(form|presets)\.ts$/;

/** The files whose texts are the same in every language, and why. */
const EXCEPTIONS = [
  { path: `${DASHBOARD}settings/webhooks/verification-code.ts`, why: 'has code' },
  { path: `${DASHBOARD}settings/describe-user-agent.ts`, why: 'has names of products' },
  { path: `${DASHBOARD}contacts/import/columns/header-words.ts`, why: 'reads names of columns' },
  { path: `${DASHBOARD}ui/safe-host.ts`, why: 'has names of scripts' },
];

/** Attributes with a text for users, however short. In others, only text that looks written counts. */
const READ_ATTRIBUTES = new Set(
  'about alt aria-label hint label legend placeholder title'.split(' '),
);
/** Attributes, properties and calls whose text users never read. */
const TECHNICAL_NAMES = new Set(
  `accept aria-controls aria-describedby aria-labelledby Authorization className contentClass d from
  href key pattern queryKey rel style to`.split(/\s+/),
);
const TECHNICAL_CALLS = new Set(
  `closest endsWith Error includes lazyRouteComponent matches querySelector querySelectorAll RangeError
  RegExp setRequestHeader split startsWith TypeError unreachable`.split(/\s+/),
);
/** Nodes whose strings are names for the compiler. */
const TECHNICAL_PARENTS = new Set(
  `ExportAllDeclaration ExportNamedDeclaration ImportDeclaration ImportExpression PropertyDefinition
  SwitchCase TSImportType TSLiteralType TSTemplateLiteralType`.split(/\s+/),
);

/** The request line of a route, or a command with environment variables. */
const TECHNICAL_TEXT = /^(?:(?:GET|POST|PUT|PATCH|DELETE) [/{]|[A-Z_]+=)/;

/**
 * @param {string} file the path from the repository's root
 * @param {string} code the file's text
 * @returns {string[]} the problems of a file of the dashboard, given its parsed program
 */
export function findVisibleStrings(file, code, program) {
  const isForm = FORM.test(file);
  if (!isForm && (!file.startsWith(DASHBOARD) || file.startsWith(CATALOG))) return [];
  const catalog = isForm ? `${file.slice(0, file.lastIndexOf('/'))}/texts.en.ts` : `${CATALOG}en`;
  if (EXCEPTIONS.some(({ path }) => path === file)) return [];
  const problems = [];
  visit(program, [], (node, parents) => {
    const text = textOf(node);
    if (text === null || !isVisible(node, text, parents)) return;
    const line = code.slice(0, node.start).split('\n').length;
    const shown = text.trim().replaceAll(/\s+/g, ' ');
    problems.push(`line ${line} has the text “${shown}”, which belongs in ${catalog}`);
  });
  return problems;
}

/** Returns the text of a node, with `{}` for each expression in it; null for other nodes. */
function textOf(node) {
  switch (node.type) {
    case 'JSXText':
      return node.value;
    case 'Literal':
      return typeof node.value === 'string' ? node.value : null;
    case 'TemplateLiteral':
      return node.quasis.map(({ value }) => value.cooked).join('{}');
    default:
      return null;
  }
}

function isVisible(node, text, parents) {
  if (!/\p{L}/u.test(text)) return false;
  if (node.type === 'JSXText') return true;
  if (isTechnical(node, parents)) return false;
  const owner = findOwner(parents);
  const isRead = owner?.type !== 'JSXAttribute' || READ_ATTRIBUTES.has(nameOf(owner.name));
  return (owner !== undefined && isRead) || looksWritten(text);
}

/** Whether a text has several words, an ellipsis, or a capital letter at its start. */
function looksWritten(text) {
  if (TECHNICAL_TEXT.test(text) || isClassList(text)) return false;
  return /^\s*\p{Lu}\p{Ll}|\p{L}…|\S\s+\S*\p{L}|\p{L}\S*\s+\S/u.test(text);
}

/** CSS classes have no capital letters and no punctuation of sentences, and at least one has a hyphen or a colon. */
function isClassList(text) {
  const classes = text.replaceAll('{}', ' ').trim().split(/\s+/);
  return (
    classes.every((each) => /^[!@a-z(][\w\-:[\]().,/%&*>=+~#']*(?<![.,:])$/.test(each)) &&
    classes.some((each) => /[-:]/.test(each))
  );
}

/** Whether a string is a name in the code: of a module, a key, a compared value, a class. */
function isTechnical(node, parents) {
  const parent = parents.at(-1);
  if (TECHNICAL_PARENTS.has(parent.type)) return true;
  if (parent.type === 'BinaryExpression' && parent.operator !== '+') return true;
  if (parent.type === 'MemberExpression' && parent.property === node) return true;
  if (parent.type === 'Property' && parent.key === node) return true;
  for (const each of parents.toReversed()) {
    switch (each.type) {
      case 'JSXAttribute':
        return TECHNICAL_NAMES.has(nameOf(each.name));
      case 'Property':
        if (TECHNICAL_NAMES.has(nameOf(each.key))) return true;
        break;
      case 'CallExpression':
      case 'NewExpression':
        return TECHNICAL_CALLS.has(nameOf(each.callee.property ?? each.callee));
      default:
        if (/Statement$|Function|^JSX(?:Element|Fragment)$/.test(each.type)) return false;
    }
  }
  return false;
}

const PASSED_THROUGH = new Set(
  `ConditionalExpression JSXExpressionContainer LogicalExpression ParenthesizedExpression
  TemplateLiteral`.split(/\s+/),
);

/** Returns the attribute of which a string is the value, or the element of which it is a child. */
function findOwner(parents) {
  const owner = parents.findLast(({ type }) => !PASSED_THROUGH.has(type));
  return /^JSX(?:Attribute|Element|Fragment)$/.test(owner?.type ?? '') ? owner : undefined;
}

function nameOf(node) {
  return typeof node.name === 'string' ? node.name : String(node.value ?? node.name?.name);
}

function visit(node, parents, see) {
  if (node === null || typeof node !== 'object') return;
  const isNode = typeof node.type === 'string';
  if (isNode) see(node, parents);
  const inner = isNode ? [...parents, node] : parents;
  for (const value of Object.values(node)) visit(value, inner, see);
}
