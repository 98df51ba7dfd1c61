// Finds words that have a plainer replacement, in code, comments, tests and documents.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The patterns, each with the words to use instead. */
const FORBIDDEN = [
  [/\bunder way\b/i, 'in flight, in progress'],
  [/\btime-outs?\b/i, 'timeout'],
  [/\bwhoever\b/i, 'the process, caller or user that is meant'],
  [/\b[Nn]obody\b(?=[\s,;:])/, 'the process, caller or user that is meant'],
  [/\b(?:told|owed)\b/i, 'reported, received, due'],
  [/\b(?:anew|befall|save for)\b/i, 'again, happen to, except for'],
  [/\blanes?\b/i, 'tenant queue'],
  [/\bverdicts?\b/i, 'result'],
  [/\b(?:robbed|giveTo)\b/, 'displaced, reassign'],
  [/\bpatience\b/i, 'timeout'],
  [/\btroubled?\b/i, 'background error'],
  [/\bsurely\b/i, 'certainly'],
  [/\bperhaps\b/i, 'may, possibly'],
  [/\bmeanwhile\b/i, 'until then, during this time, since'],
  [/\b(?:some|any)body\b/i, 'the process, caller or user that is meant'],
  [/\bthe release before\b/i, 'the previous release'],
  [/\b(?:of now|likewise|all the same|unless given)\b/i, 'a plain clause'],
  [/\b(?:lets?|letting) (?:it |them )?in\b/i, 'accept'],
  [/\bin (?:its|their) hands\b/i, 'while it processes'],
  [/\b(?:is|are|was|were) away\b/i, 'unavailable, down'],
  [/\b(?:goes|go|went) on\b/i, 'continue'],
  [/\bthat (?:is|are) none\b/i, 'that is not one, invalid'],
  [/\btells?\b(?!.*\bapart\b)/i, 'report, notify, show'],
  [/\bcan.t be had\b/i, 'not available'],
  [/\bfor ever\b/i, 'forever'],
  [/, also (?:after|if|when|while|with|without)\b/, 'even, including'],
  [/\bgood credentials\b/i, 'valid credentials'],
  // `neighbours` is the name of a scenario of the benchmark.
  [/\b(?!neighbours['`*:])\w*(?:col|fav|hon|neighb)our\w*\b/i, 'the American spelling'],
  [/\b(?:catalogue|cancell(?:ed|ing)|analys(?:ed?|ing))\b/i, 'the American spelling'],
  [
    /\b\w*(?:recogn|serial|normal|organ|author|optim|initial|synchron)is(?:e|ing|ation)\w*\b/i,
    'the American spelling',
  ],
];

/** This list and its test, third-party texts, applied migrations, and files that are not text. */
const UNCHECKED =
  /^(?:scripts\/check-words\..*|LICENSE|package-lock\.json|prisma\/migrations\/.*\.sql|.*\.(?:webp|png|pem|key))$/;

/** @returns {string[]} `line: “word”: use …` for each forbidden word of a text */
export function findForbiddenWords(text) {
  return text.split('\n').flatMap((line, index) =>
    FORBIDDEN.flatMap(([pattern, instead]) => {
      const word = pattern.exec(line)?.[0];
      return word === undefined ? [] : [`${index + 1}: “${word}”: use ${instead}`];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.resolve(import.meta.dirname, '..');
  const list = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const problems = list
    .split('\0')
    .filter((file) => file !== '' && !UNCHECKED.test(file))
    .flatMap((file) =>
      findForbiddenWords(readFileSync(path.join(root, file), 'utf8')).map(
        (problem) => `${file}:${problem}`,
      ),
    );
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
