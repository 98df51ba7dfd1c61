// Finds routes that are registered without a definition. Used by `check-boundaries.mjs`.

const API = 'apps/api/src/';
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all']);

/** The files that may register a route without `registerRoute`, and why. */
const EXCEPTIONS = [
  { path: `${API}http/register-route.ts`, why: 'registers the defined routes' },
  { path: `${API}dashboard/`, why: 'serves files' },
  {
    path: `${API}users/single-sign-on/sign-on-pages.ts`,
    why: 'sends browsers on, without an own page',
  },
  { path: `${API}queue-page/`, why: 'serves a page to operators, who have no workspace' },
  { path: `${API}webhooks/`, why: 'has the paths and the request format of each adapter' },
];

/** @returns {string[]} the problems of a file of the API, given its parsed program */
export function findRouteRegistrations(file, program) {
  if (!file.startsWith(API) || EXCEPTIONS.some(({ path }) => file.startsWith(path))) return [];
  return listCalls(program)
    .filter(isRegistration)
    .map(
      ({ callee }) =>
        `registers a route with \`.${callee.property.name}()\`; define it with \`defineRoute\` in packages/contracts/src/routes and register it with \`registerRoute\``,
    );
}

/**
 * `app.route(…)`, and `app.get(…)` or another method with a path or with a handler. A store or a map
 * also has methods such as `get`, but takes neither.
 */
function isRegistration({ callee, arguments: given }) {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  if (callee.property.name === 'route') return true;
  if (!METHODS.has(callee.property.name) || given.length < 2) return false;
  return isPath(given[0]) || isHandler(given.at(-1));
}

function isPath(node) {
  const text = node.type === 'TemplateLiteral' ? node.quasis[0]?.value.raw : node.value;
  return typeof text === 'string' && text.startsWith('/');
}

function isHandler({ type }) {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

function listCalls(node) {
  if (node === null || typeof node !== 'object') return [];
  const inside = Object.values(node).flatMap(listCalls);
  return node.type === 'CallExpression' ? [node, ...inside] : inside;
}
