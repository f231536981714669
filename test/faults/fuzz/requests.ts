import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { posts as simulatedSeries } from '../../fixtures/simulated-centre.ts';
import { weighted } from '../../support/arbitraries.ts';
import { httpApiEvent } from '../../support/local-servers.ts';
import { recordChanges, rootChanges, textChanges } from './changes.ts';
import { among, type Changes, type JsonNode, nodeOf, oneOf, sometimes, styles, using, written } from './json-nodes.ts';
import { oddLength, oddText } from './odd-values.ts';
import { callbackSecret, secrets } from './receiver.ts';

/** A request before API Gateway has made an event of it. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: Buffer | undefined;
  /** What the address has in place of the callback secret. */
  readonly secret?: string | undefined;
  /** How the body reaches the function, if not as API Gateway does it. */
  readonly bodyEncoding?: keyof typeof bodyEncodings | undefined;
}

const bodyEncodings = {
  'as-text': ['utf8', false],
  'as-base64': ['base64', true],
  'text-called-base64': ['utf8', true],
  'base64-called-text': ['base64', false],
} as const;

/** API Gateway passes text, JSON, XML and JavaScript as text, and everything else as base64. */
const isText = (headers: Posted['headers']): boolean => {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /^(text\/|application\/(json|xml|javascript))/.test(type);
};

export const eventOf = ({ headers, query, body, secret, bodyEncoding }: Posted): APIGatewayProxyEventV2 => {
  const event = httpApiEvent({ headers, query, ...(secret !== undefined && { secret }) });
  if (body === undefined) return { ...event, isBase64Encoded: false };
  const [encoding, isBase64Encoded] = bodyEncodings[bodyEncoding ?? (isText(headers) ? 'as-text' : 'as-base64')];
  return { ...event, body: body.toString(encoding), isBase64Encoded };
};

/** The body as text. */
export const bodyTextOf = ({ headers, body = Buffer.alloc(0) }: Posted): string =>
  !isText(headers) && /charset=iso-8859-1/.test(receivedTypeOf(headers))
    ? new TextDecoder('windows-1252').decode(body).replaceAll('\0', '')
    : textOf(body);

/** The content type that the function sees: of two, the last. */
export const receivedTypeOf = (headers: Posted['headers']): string =>
  Object.entries(headers).findLast(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

/** Bytes as text, without zeros. */
export const textOf = (bytes: Buffer): string => bytes.toString().replaceAll('\0', '');

export const bytesOf = ({ body, query }: Posted): number => (body?.byteLength ?? 0) + query.length;

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const jsonType = { 'content-type': 'application/json' };

export const formPost = (body: string, query = ''): Posted => ({ headers: formType, query, body: Buffer.from(body) });

export const jsonPost = (text: string | Buffer): Posted => ({ headers: jsonType, query: '', body: Buffer.from(text) });

/** As in an address. `encodeURIComponent` throws for lone surrogates. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const key = fc.constantFrom(...secrets, 'unknown').map(encoded);

/** By specification and in practice. */
const usual = oneOf<string, Posted>(
  among(
    (json) => formPost(`data=${encoded(json)}`),
    (json) => formPost(new URLSearchParams({ data: json }).toString()),
    (json) => jsonPost(json),
    (json) => ({ headers: formType, query: `data=${encoded(json)}`, body: undefined }),
    (json) => formPost(`data=${encoded(json)}`, 'tenant=north-12'),
  ),
  using(key, (json, name) => formPost(`data=${encoded(json)}&Apikey=${name}`)),
);

const everyByte = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(/../g, (byte) => `%${byte}`);

/** Ways of encoding a form, some of them wrong. */
const encoders = fc.constantFrom<((json: string) => string)[]>(
  everyByte,
  (json) => encoded(json).replace(/%../g, (byte) => byte.toLowerCase()),
  (json) => encoded(encoded(json)),
  (json) => json,
  (json) => json.replaceAll('"', '%22'),
);

const brokenPercents = '% %2 %zz %u0041 %C0%AF %ED%A0%80 %F8%88%80%80%80 %FF %00 %E2%82 %25%32%32'.split(' ');

/** One in ten has more than the receiver reads. */
const manyFields = weighted([9, oddLength], [1, fc.constant(20_000)]).map((length) =>
  Array.from({ length: length / 4 }, (_, index) => `f${index}=${index}`).join('&'),
);

const nestedName = fc.constantFrom(
  ...'data[a] a[b][c] data[] data[__proto__] __proto__[isAdmin] constructor[prototype][isAdmin] __proto__ data.x'.split(
    ' ',
  ),
  ...['data%5B0%5D', 'toString', 'Apikey[]', 'DATA', 'Data', 'dAtA'],
);

const padding = fc
  .tuple(
    fc.constantFrom('x', '%20', '+', '%'),
    weighted([19, fc.nat(40_000)], [1, fc.integer({ min: 200_000, max: 800_000 })]),
  )
  .map(([piece, length]) => piece.repeat(length / 3));

/** Other fields of a form, before or after the data. */
const beside: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('Data=x', 'data=', 'a=1;b=2'),
  fc.oneof(fc.constant(''), oddText).map((other) => `data=${encoded(other)}`),
  nestedName.map((name) => `${name}=1`),
  manyFields,
  fc.tuple(key, fc.integer({ min: 1, max: 50 })).map(([name, count]) => Array(count).fill(`Apikey=${name}`).join('&')),
  padding.map((text) => `padding=${text}`),
);

/** As a broken, careless or malicious client does it. */
const odd = oneOf<string, Posted>(
  using(encoders, (json, encode) => formPost(`data=${encode(json)}`)),
  using(fc.constantFrom(...brokenPercents), (json, piece, indexOf) => {
    const text = encoded(json);
    const at = indexOf(text.length + 1);
    return formPost(`data=${text.slice(0, at)}${piece}${text.slice(at)}`);
  }),
  using(beside, (json, other) => formPost(`data=${encoded(json)}&${other}`)),
  using(beside, (json, other) => formPost(`${other}&data=${encoded(json)}`)),
  using(nestedName, (json, name) => formPost(`${name}=${encoded(json)}`)),
  using(fc.tuple(oddText, key), (_, [text, name]) => formPost(`x=${encoded(text)}&Apikey=${name}`)),
  using(fc.constantFrom('data=', 'data', 'data=%20', '&data=&', 'data=+'), (_, body) => formPost(body)),
  using(fc.tuple(key, key), (json, [one, other]) => formPost(`data=${encoded(json)}`, `Apikey=${one}&apikey=${other}`)),
  using(oddText, (json, text) =>
    formPost(`data=${encoded(json)}`, `${encoded(text).slice(0, 8_000)}=%&%=&&__proto__=1`),
  ),
  among(
    (json) => formPost(`data=${encoded(json)}&data=${encoded(json)}`),
    (json) => formPost(`data=${encoded(json)}`, `data=${encoded(json)}`),
    (json) => formPost(`data=${encoded(json)}&Data=${encoded(json)}`),
    (json) => formPost(`a=1;data=${encoded(json)}`),
    (json) => jsonPost(`data=${encoded(json)}`),
    (json) => formPost(json),
    (json) => jsonPost(Buffer.from(json, 'utf16le')),
    (json) => jsonPost(Buffer.from(json, 'latin1')),
  ),
);

/** The ways from a JSON text to a request. */
const carriers: Changes<string, Posted> = weighted([3, usual], [1, odd]);

const contentType = fc.constantFrom(
  ...['', ' ', 'application/x-www-form-urlencoded; charset=UTF-8', '*/*', 'nonsense'],
  ...['application/x-www-form-urlencoded;charset=utf-16', 'application/x-www-form-urlencoded ;'],
  ...['APPLICATION/X-WWW-FORM-URLENCODED', 'application/x-www-form-urlencoded,application/json'],
  ...['application/x-www-form-urlencoded\nx', 'application/json; charset=iso-8859-1', 'application/vnd.api+json'],
  ...['text/json', 'application/json-seq', 'text/plain', 'text/html', 'multipart/form-data; boundary=x'],
  'application/xml',
  'application/octet-stream',
  `application/json;${'x'.repeat(5_000)}`,
  `application/${'a.'.repeat(3_000)}json`,
);

const otherCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

const withHeaders = (post: Posted, headers: Readonly<Record<string, string>>): Posted => ({
  ...post,
  headers: { ...post.headers, ...headers },
});

const httpChanges = oneOf<Posted>(
  using(contentType, (post, type) => withHeaders(post, { 'content-type': type })),
  using(contentType, (post, type) => withHeaders(post, { 'Content-Type': type })),
  using(oddText, (post, text) =>
    withHeaders(post, { 'content-encoding': 'gzip', ['__proto__']: 'x', expect: '100-continue', 'x-odd': text }),
  ),
  using(
    fc.constantFrom<(keyof typeof bodyEncodings)[]>('as-text', 'as-base64', 'text-called-base64', 'base64-called-text'),
    (post, bodyEncoding) => ({ ...post, bodyEncoding }),
  ),
  using(fc.uint8Array({ minLength: 1, maxLength: 8 }), (post, bytes, indexOf) => {
    const body = Buffer.from(post.body ?? 'data=');
    const at = indexOf(body.length);
    for (const [index, byte] of bytes.entries()) body[(at + 31 * index) % body.length] = byte;
    return { ...post, body };
  }),
  using(fc.oneof(fc.constantFrom(callbackSecret, 'wrong', '', '%'), oddText), (post, secret) => ({ ...post, secret })),
  among<Posted>(
    (post) => ({ ...post, headers: {} }),
    (post) => ({
      ...post,
      headers: Object.fromEntries(Object.entries(post.headers).map(([name, value]) => [otherCase(name), value])),
    }),
    (post) => ({ ...post, body: undefined }),
    (post) => ({ ...post, body: Buffer.alloc(0) }),
    (post) => ({ ...post, query: `${post.query}&${post.body?.toString() ?? ''}`, body: undefined }),
  ),
);

const simulatedPosts = 300;

/** The JSON in a post of the simulator; none in other forms. */
const jsonIn = ({ body, query, contentType }: Post): readonly string[] => {
  if (contentType.startsWith('application/json')) return [body];
  return new URLSearchParams(body === '' ? query : body).getAll('data');
};

const series = simulatedSeries(seededRandom(1));
const simulated = Array.from({ length: simulatedPosts }, () => series.next().value)
  .flatMap(jsonIn)
  .map(nodeOf);

const specified: readonly JsonNode[] = [
  specificationSummary,
  { ...specificationSummary, Apikey: 'other-key-31c9', UserName: 'other' },
  [specificationSummary, specificationParticipant],
  [specificationParticipant],
].map((value) => nodeOf(JSON.stringify(value)));

/** What is really sent: by the simulator with all its quirks, and as specified. */
const realPosts: readonly JsonNode[] = [...simulated, ...Array.from({ length: 10 }, () => specified).flat()];

/** A request, and the deployment that it is sent to. */
export interface TriedRequest {
  /** Whether it has a callback secret. */
  readonly deployment: 'open' | 'secret';
  readonly posted: Posted;
  /** How often it comes: a repeat must change nothing. */
  readonly times: number;
}

/** A post that starts from a real one. */
export const posts: fc.Arbitrary<TriedRequest> = fc
  .record({
    root: fc.constantFrom(...realPosts),
    record: sometimes(recordChanges, 85, 4),
    change: sometimes(rootChanges, 15),
    style: styles,
    text: sometimes(textChanges, 12),
    carry: carriers,
    http: sometimes(httpChanges, 15),
    // One in four has a callback secret, one in twenty comes twice.
    deployment: fc.constantFrom('open', 'open', 'open', 'secret'),
    times: fc.nat(19).map((drawn) => (drawn === 19 ? 2 : 1)),
  })
  .map(({ root, record, change, style, text, carry, http, deployment, times }) => {
    const plain = carry(text(written(change(record(root)), style)));
    const posted = http(deployment === 'secret' ? { ...plain, secret: callbackSecret } : plain);
    const shown = () => JSON.stringify({ deployment, times, ...posted, body: posted.body?.toString() }).slice(0, 4_000);
    return { deployment, times, posted, [fc.toStringMethod]: shown };
  });
