import { between, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { oddLength } from '../json/odd-texts.ts';
import type { Mutation } from '../mutation.ts';

const inserted = (random: Random, text: string, piece: string): string => {
  const at = between(random, 0, text.length);
  return `${text.slice(0, at)}${piece}${text.slice(at)}`;
};

const escapedAll = (text: string): string =>
  JSON.stringify(text).replace(/[^"\\]/g, (character) =>
    /[nrtbfu0-9a-f]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const pieces = [
  '\u0000',
  '\ufeff',
  '//x\n',
  '/* x */',
  ',',
  '}',
  ']',
  '"',
  "'",
  '\\',
  '\\u',
  '\\ud800',
  'NaN',
  'undefined',
  'Infinity',
  '\n',
  '\t',
  '+1',
  '01',
  '.5',
  '{',
  '[',
];

/** Changes of the JSON text, most of which break it. */
export const textMutations: readonly Mutation<string>[] = [
  { name: 'truncated', apply: (random, text) => text.slice(0, between(random, 0, text.length)) },
  { name: 'beheaded', apply: (random, text) => text.slice(between(random, 0, Math.min(40, text.length))) },
  { name: 'piece', apply: (random, text) => inserted(random, text, pick(random, pieces)) },
  { name: 'bom', apply: (random, text) => `${'\ufeff'.repeat(between(random, 1, 2))}${text}` },
  { name: 'space-around', apply: (random, text) => `${' \n\t'.repeat(oddLength(random) / 3)}${text}\r\n` },
  { name: 'single-quotes', apply: (_, text) => text.replaceAll('"', "'") },
  { name: 'trailing-comma', apply: (_, text) => text.replace(/([}\]])$/, ',$1') },
  { name: 'twice', apply: (_, text) => `${text}${text}` },
  { name: 'repeated-names', apply: (_, text) => text.replace(/^\{(.+)\}$/s, '{$1,$1}') },
  {
    name: 'removed-piece',
    apply: (random, text) =>
      text.slice(0, between(random, 0, text.length)) + text.slice(between(random, 0, text.length)),
  },
  { name: 'numbers-bare', apply: (_, text) => text.replace(/"(\d+)"/g, '$1') },
  { name: 'octal', apply: (_, text) => text.replace(/"(\d+)"/g, '0$1') },
  { name: 'escaped', apply: (_, text) => text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => tryEscaped(quoted)) },
  {
    name: 'upper-case-escapes',
    apply: (_, text) => text.replace(/\//g, '\\u002F').replace(/\+/g, '\\u002B').replace(/&/g, '\\u0026'),
  },
  { name: 'xml', apply: (_, text) => `<data>${text}</data>` },
  { name: 'callback-call', apply: (_, text) => `cb(${text});` },
  { name: 'only-spaces', apply: (random) => ' '.repeat(oddLength(random)) },
  { name: 'nothing', apply: () => '' },
];

const tryEscaped = (quoted: string): string => {
  try {
    return escapedAll(JSON.parse(quoted));
  } catch {
    return quoted;
  }
};
