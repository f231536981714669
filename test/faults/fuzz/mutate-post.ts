import { between, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { callbackSecret } from './accounts.ts';
import type { Posted } from './carriers.ts';
import type { Mutation } from './json.ts';
import { oddLength, oddText } from './odd-values.ts';

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

const contentTypes = [
  '',
  ' ',
  'application/x-www-form-urlencoded; charset=UTF-8',
  'application/x-www-form-urlencoded;charset=utf-16',
  'application/x-www-form-urlencoded ;',
  'APPLICATION/X-WWW-FORM-URLENCODED',
  'application/x-www-form-urlencoded,application/json',
  'application/x-www-form-urlencoded\nx',
  'application/json; charset=iso-8859-1',
  'application/vnd.api+json',
  'text/json',
  'application/json-seq',
  'text/plain',
  'text/html',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/octet-stream',
  'nonsense',
  `application/json;${'x'.repeat(5_000)}`,
  `application/${'a.'.repeat(3_000)}json`,
  '*/*',
];

const otherCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

const handedOver: readonly Posted['handedOver'][] = [
  'as-text',
  'as-base64',
  'text-called-base64',
  'base64-called-text',
];

/** Changes of the request around the body. */
export const httpMutations: readonly Mutation<Posted>[] = [
  {
    name: 'content-type',
    apply: (random, post) => ({ ...post, headers: { ...post.headers, 'content-type': pick(random, contentTypes) } }),
  },
  { name: 'no-headers', apply: (_, post) => ({ ...post, headers: {} }) },
  {
    name: 'header-case',
    apply: (_, post) => ({
      ...post,
      headers: Object.fromEntries(Object.entries(post.headers).map(([name, value]) => [otherCase(name), value])),
    }),
  },
  {
    name: 'header-twice',
    apply: (random, post) => ({ ...post, headers: { ...post.headers, 'Content-Type': pick(random, contentTypes) } }),
  },
  {
    name: 'odd-headers',
    apply: (random, post) => ({
      ...post,
      headers: {
        ...post.headers,
        'content-encoding': 'gzip',
        ['__proto__']: 'x',
        expect: '100-continue',
        'x-odd': oddText(random),
      },
    }),
  },
  { name: 'handed-over', apply: (random, post) => ({ ...post, handedOver: pick(random, handedOver) }) },
  { name: 'no-body', apply: (_, post) => ({ ...post, body: undefined }) },
  { name: 'empty-body', apply: (_, post) => ({ ...post, body: Buffer.alloc(0) }) },
  {
    name: 'odd-bytes',
    apply: (random, post) => {
      const body = Buffer.from(post.body ?? 'data=');
      for (let count = between(random, 1, 8); count > 0; count--)
        body[between(random, 0, body.length - 1)] = between(random, 0, 255);
      return { ...post, body };
    },
  },
  {
    name: 'query-only',
    apply: (_, post) => ({ ...post, query: `${post.query}&${post.body?.toString() ?? ''}`, body: undefined }),
  },
  {
    name: 'secret-in-path',
    apply: (random, post) => ({
      ...post,
      secret: pick(random, [callbackSecret, callbackSecret, 'wrong', '', '%', oddText(random)]),
    }),
  },
];
