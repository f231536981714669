import fc from 'fast-check';
import { callbackSecret } from './accounts.ts';
import type { Posted } from './carriers.ts';
import { type Kind, kindOf, kindWith } from './mutation.ts';
import { oddLength, oddText } from './odd-values.ts';

const pieces = [
  ...['\u0000', '\ufeff', '//x\n', '/* x */', ',', '}', ']', '"', "'", '\\', '\\u', '\\ud800', 'NaN', 'undefined'],
  ...['Infinity', '\n', '\t', '+1', '01', '.5', '{', '['],
];

/** Changes of the JSON text. Most of them break it. */
export const textChanges: readonly Kind<string>[] = [
  kindOf('truncated', (text, indexOf) => text.slice(0, indexOf(text.length + 1))),
  kindOf('beheaded', (text, indexOf) => text.slice(indexOf(Math.min(40, text.length) + 1))),
  kindWith('piece', fc.constantFrom(...pieces), (text, piece, indexOf) => {
    const at = indexOf(text.length + 1);
    return `${text.slice(0, at)}${piece}${text.slice(at)}`;
  }),
  kindWith('bom', fc.integer({ min: 1, max: 2 }), (text, count) => `${'\ufeff'.repeat(count)}${text}`),
  kindWith('space-around', oddLength, (text, length) => `${' \n\t'.repeat(length / 3)}${text}\r\n`),
  kindOf('single-quotes', (text) => text.replaceAll('"', "'")),
  kindOf('trailing-comma', (text) => text.replace(/([}\]])$/, ',$1')),
  kindOf('twice', (text) => `${text}${text}`),
  kindOf('repeated-names', (text) => text.replace(/^\{(.+)\}$/s, '{$1,$1}')),
  kindWith('removed-piece', fc.nat(200), (text, length, indexOf) => {
    const at = indexOf(text.length + 1);
    return `${text.slice(0, at)}${text.slice(at + length)}`;
  }),
  kindOf('numbers-bare', (text) => text.replace(/"(\d+)"/g, '$1')),
  kindOf('octal', (text) => text.replace(/"(\d+)"/g, '0$1')),
  kindOf('escaped', (text) => text.replace(/"(?:[^"\\]|\\.)*"/g, escapedOrSame)),
  kindOf('upper-case-escapes', (text) =>
    text.replace(/\//g, '\\u002F').replace(/\+/g, '\\u002B').replace(/&/g, '\\u0026'),
  ),
  kindOf('xml', (text) => `<data>${text}</data>`),
  kindOf('callback-call', (text) => `cb(${text});`),
  kindWith('only-spaces', oddLength, (_, length) => ' '.repeat(length)),
  kindOf('nothing', () => ''),
];

/** The string with most characters as escapes, or as it is if it is broken. */
const escapedOrSame = (quoted: string): string => {
  try {
    return JSON.stringify(JSON.parse(quoted)).replace(/[^"\\]/g, (character) =>
      /[nrtbfu0-9a-f]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  } catch {
    return quoted;
  }
};

const contentTypes = [
  ...['', ' ', 'application/x-www-form-urlencoded; charset=UTF-8'],
  ...['application/x-www-form-urlencoded;charset=utf-16', 'application/x-www-form-urlencoded ;'],
  ...['APPLICATION/X-WWW-FORM-URLENCODED', 'application/x-www-form-urlencoded,application/json'],
  ...['application/x-www-form-urlencoded\nx', 'application/json; charset=iso-8859-1', 'application/vnd.api+json'],
  ...['text/json', 'application/json-seq', 'text/plain', 'text/html', 'multipart/form-data; boundary=x'],
  ...['application/xml', 'application/octet-stream', 'nonsense'],
  `application/json;${'x'.repeat(5_000)}`,
  `application/${'a.'.repeat(3_000)}json`,
  '*/*',
];

const contentType = fc.constantFrom(...contentTypes);

const otherCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

const withHeaders = (post: Posted, headers: Readonly<Record<string, string>>): Posted => ({
  ...post,
  headers: { ...post.headers, ...headers },
});

export const httpChanges: readonly Kind<Posted>[] = [
  kindWith('content-type', contentType, (post, type) => withHeaders(post, { 'content-type': type })),
  kindOf('no-headers', (post) => ({ ...post, headers: {} })),
  kindOf('header-case', (post) => ({
    ...post,
    headers: Object.fromEntries(Object.entries(post.headers).map(([name, value]) => [otherCase(name), value])),
  })),
  kindWith('header-twice', contentType, (post, type) => withHeaders(post, { 'Content-Type': type })),
  kindWith('odd-headers', oddText, (post, text) =>
    withHeaders(post, { 'content-encoding': 'gzip', ['__proto__']: 'x', expect: '100-continue', 'x-odd': text }),
  ),
  kindWith(
    'body-encoding',
    fc.constantFrom('as-text', 'as-base64', 'text-called-base64', 'base64-called-text'),
    (post, bodyEncoding) => ({ ...post, bodyEncoding }),
  ),
  kindOf('no-body', (post) => ({ ...post, body: undefined })),
  kindOf('empty-body', (post) => ({ ...post, body: Buffer.alloc(0) })),
  kindWith('odd-bytes', fc.uint8Array({ minLength: 1, maxLength: 8 }), (post, bytes, indexOf) => {
    const body = Buffer.from(post.body ?? 'data=');
    for (const [index, byte] of bytes.entries()) body[(indexOf(body.length) + 31 * index) % body.length] = byte;
    return { ...post, body };
  }),
  kindOf('query-only', (post) => ({ ...post, query: `${post.query}&${post.body?.toString() ?? ''}`, body: undefined })),
  kindWith(
    'secret-in-path',
    fc.oneof(fc.constantFrom(callbackSecret, callbackSecret, 'wrong', '', '%'), oddText),
    (post, secret) => ({ ...post, secret }),
  ),
];
