import { between, pick } from '../../../sandbox/simulator/random.ts';
import { callbackSecret } from '../accounts.ts';
import { oddText } from '../json/odd-texts.ts';
import type { Mutation } from '../mutation.ts';
import type { Posted } from './posted.ts';

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
