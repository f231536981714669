import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isCallbackSecret } from '../../lib/accounts/redact-secrets.ts';
import { type Form, formOf, hasContent, hasJson, type Posted } from '../../lib/callback/parse-envelope.ts';
import { maxFields, type Reply, rejected, rejectionResponses } from '../../lib/callback/reply.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { percentBytes } from '../../lib/core/encoding.ts';
import { isLikeJson } from '../../lib/core/json.ts';
import { isKeyField } from '../../lib/telephony/posted-fields.ts';

const isPost = (event: APIGatewayProxyEventV2): boolean => {
  const query = queryOf(event);
  return (event.body ?? '') !== '' || hasJson(query) || Object.keys(query).some(isKeyField);
};

/** The query. API Gateway joins repeated parameters with commas. Only the raw query still shows that there were two. */
export const queryOf = ({ rawQueryString }: Pick<APIGatewayProxyEventV2, 'rawQueryString'>): Form =>
  formOf(encodedWithoutZeros(rawQueryString));

export const reply = (statusCode: number, body: object): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

/**
 * The answer to a post: what was stored. Where it was not fully understood, it has the reason, as a word for programs
 * and a sentence for people. After any status but 200 the service alerts its administrators and, by a setting of
 * its account, posts again.
 */
export const callbackReply = ({ outcome, reason, ...counts }: Reply): APIGatewayProxyStructuredResultV2 => {
  if (reason === undefined) return reply(200, counts);
  const { status, message } = rejectionResponses[reason];
  return reply(outcome === 'rejected' ? status : 200, { ...counts, reason, message });
};

const { headers, ...notAllowed } = callbackReply(rejected('method-not-allowed'));
const methodNotAllowed = { ...notAllowed, headers: { ...headers, allow: 'GET, HEAD, POST' } };

export interface RequestSettings {
  /** Undefined if the deployment has no secret. */
  readonly secretSha256: string | undefined;
  /** Called for each callback that is rejected here. A request to an unknown address or by another method is none. */
  readonly onReply: (reply: Reply) => void;
}

interface Address {
  /** The part of the path where the callback secret belongs. */
  readonly secret: string | undefined;
  /** Whether callbacks are posted to it. All others can only be checked. */
  readonly isCallback: boolean;
}

/** Any number of slashes separates the parts of a path: people enter the URL with or without one at its end. */
const addressOf = (rawPath: string): Address | undefined => {
  const parts = rawPath.split('/').filter((part) => part !== '');
  const isCallback = parts.at(-1) === 'callDetails';
  const [secret, ...others] = isCallback ? parts.slice(0, -1) : parts;
  return others.length > 0 ? undefined : { secret, isCallback };
};

/**
 * Answers requests that can be decided without their body. Before the service accepts a callback URL, it sends GET or HEAD,
 * and reports "invalid URL" unless the status is 200. A GET or HEAD with content is treated as a post. Header names become
 * lower case for the following middleware. If the deployment has a callback secret, every request that passes has sent it.
 */
export const checkRequest = ({
  secretSha256,
  onReply,
}: RequestSettings): MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2> => ({
  before: ({ event }) => {
    const { method } = event.requestContext.http;
    const address = addressOf(event.rawPath);
    if (address === undefined) return callbackReply(rejected('not-found'));
    const isCheck = (method === 'GET' || method === 'HEAD') && !isPost(event);
    if (isCheck) return reply(200, { service: 'callfeed' });
    if (!['GET', 'HEAD', 'POST'].includes(method)) return methodNotAllowed;
    if (!address.isCallback) return callbackReply(rejected('not-found'));

    event.headers = Object.fromEntries(Object.entries(event.headers).map(([name, text]) => [name.toLowerCase(), text]));
    if (secretSha256 === undefined || isCallbackSecret(address.secret ?? '', secretSha256)) return undefined;
    const rejection = rejected('callback-secret-wrong');
    onReply(rejection);
    return callbackReply(rejection);
  },
});

/** Header names are in lower case. */
interface SentBody {
  readonly body?: unknown;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const contentTypeOf = ({ headers }: Pick<SentBody, 'headers'>): string => headers['content-type'] ?? '';

/** API Gateway encodes in base64 whatever is not text by its type, such as a form. */
const bytesOf = ({ body, isBase64Encoded }: SentBody): Buffer =>
  Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded ? 'base64' : 'utf8');

/** UTF-8 unless the content type declares another charset that is known. */
const declaredDecoder = (sent: SentBody) => {
  const [, charset] = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentTypeOf(sent)) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
};

/**
 * The body as text. Zeros are left out: they mean nothing in JSON or a form, and UTF-16 that does not say so would hide a key
 * between them. Of its byte-order mark characters are left that no charset has. JSON in UTF-16 has a zero beside each mark, so
 * without any it is UTF-8, whatever is declared.
 */
const bodyText = (sent: SentBody): string => {
  const bytes = bytesOf(sent);
  if (!sent.isBase64Encoded) return withoutZeros(bytes.toString());
  const declared = declaredDecoder(sent);
  const isWrong = declared.encoding.startsWith('utf-16') && !bytes.includes(0);
  return withoutZeros((isWrong ? new TextDecoder() : declared).decode(bytes));
};

const withoutZeros = (text: string): string =>
  text.includes('\0') ? text.replaceAll('\0', '').replace(/^\ufffd+/, '') : text;

/** A form as text in UTF-8, the only charset that its parser knows. What declares UTF-16 is in ASCII, as its names are. */
const formText = (sent: SentBody): string => {
  const form = bytesOf(sent).toString('latin1');
  const declared = declaredDecoder(sent);
  const decoder = declared.encoding.startsWith('utf') ? new TextDecoder() : declared;
  const isAsParsed = decoder.encoding === 'utf-8' && !/[\x80-\xff]/.test(form);
  const recoded = (part: string) => encodeURIComponent(decoder.decode(percentBytes(part.replaceAll('+', ' '))));
  return encodedWithoutZeros(isAsParsed ? form : form.replace(/[^&=]+/g, recoded));
};

const encodedWithoutZeros = (encoded: string): string => encoded.replaceAll('\0', '').replaceAll('%00', '');

/** Whether a content type is that of a form. A body without a type is read as one. */
const isFormType = (contentType: string): boolean =>
  contentType.trim() === '' || /^application\/x-www-form-urlencoded *(;|$)/i.test(contentType);

const isJsonType = (contentType: string): boolean => /^(application|text)\/([\w.-]+\+)?json *(;|$)/i.test(contentType);

const hasTooManyFields = (form: string): boolean => {
  let fields = 1;
  for (let at = form.indexOf('&'); at >= 0 && fields <= maxFields; at = form.indexOf('&', at + 1)) fields += 1;
  return fields > maxFields;
};

/**
 * The content of a post. What begins like JSON is JSON, and what has the fields of a callback is a form, whatever the content type
 * says. A form with too many fields is not read.
 */
export const contentOf = (event: SentBody): Posted['content'] => {
  const contentType = contentTypeOf(event);
  const text = bodyText(event);
  if (isLikeJson(text)) return { json: text };
  if (isFormType(contentType)) {
    const encoded = formText(event);
    return hasTooManyFields(encoded) ? { unread: encoded, reason: 'too-many-fields' } : { form: formIn(encoded) };
  }
  // Without a body its type means nothing: the data may be in the query.
  if (text === '') return { json: text };
  const form = hasTooManyFields(text) ? {} : formOf(text);
  if (hasContent(form)) return { form };
  return isJsonType(contentType) ? { json: text } : { unread: text, reason: 'unsupported-content-type' };
};

/** A form in which only a repeated name has a list. */
const formIn = (encoded: string): Form =>
  mapValues(formOf(encoded), (values) => (values?.length === 1 ? values[0] : values));
