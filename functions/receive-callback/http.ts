import type { MiddlewareObj } from '@middy/core';
import urlEncodeBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isCallbackSecret } from '../../lib/accounts/redact-secrets.ts';
import { type Form, formOf, hasContent, hasJson, isForm, type Posted } from '../../lib/callback/parse-envelope.ts';
import { maxFields, type Reply, rejected, rejectionResponses } from '../../lib/callback/reply.ts';
import { percentBytes } from '../../lib/core/encoding.ts';
import { isLikeJson } from '../../lib/core/json.ts';
import { isKeyField } from '../../lib/telephony/posted-fields.ts';

type Middleware = MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>;

const jsonReply = (statusCode: number, body: object): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

/**
 * What was stored, and where not all was understood the reason, as a word and a sentence. After any status but 200 the
 * service alerts its administrators and, by a setting of its account, posts again.
 */
export const callbackReply = ({ outcome, reason, ...counts }: Reply): APIGatewayProxyStructuredResultV2 => {
  if (reason === undefined) return jsonReply(200, counts);
  const { status, message } = rejectionResponses[reason];
  return jsonReply(outcome === 'rejected' ? status : 200, { ...counts, reason, message });
};

const { headers, ...notAllowed } = callbackReply(rejected('method-not-allowed'));
const methodNotAllowed = { ...notAllowed, headers: { ...headers, allow: 'GET, HEAD, POST' } };

interface RequestSettings {
  readonly secretSha256: string | undefined;
  /** Called for each callback that is rejected here. A request to an unknown address or by another method is none. */
  readonly onReply: (reply: Reply) => void;
}

/**
 * Any number of slashes separates the parts of a path: people enter the URL with or without one at its end. An address that
 * is not for callbacks can only be checked.
 */
const addressOf = (rawPath: string) => {
  const parts = rawPath.split('/').filter((part) => part !== '');
  const isCallback = parts.at(-1) === 'callDetails';
  const [secret, ...others] = isCallback ? parts.slice(0, -1) : parts;
  return others.length > 0 ? undefined : { secret, isCallback };
};

const isPost = (event: APIGatewayProxyEventV2): boolean => {
  const query = queryOf(event);
  return (event.body ?? '') !== '' || hasJson(query) || Object.keys(query).some(isKeyField);
};

/**
 * Answers what needs no body. Before the service accepts a callback URL, it sends GET or HEAD, and wants status 200. With
 * content they are treated as a post. Header names become lower case. With a callback secret, a request that passes has sent it.
 */
export const checkRequest = ({ secretSha256, onReply }: RequestSettings): Middleware => ({
  before: ({ event }) => {
    const { method } = event.requestContext.http;
    const address = addressOf(event.rawPath);
    if (address === undefined) return callbackReply(rejected('not-found'));
    const isCheck = (method === 'GET' || method === 'HEAD') && !isPost(event);
    if (isCheck) return jsonReply(200, { service: 'callfeed' });
    if (!['GET', 'HEAD', 'POST'].includes(method)) return methodNotAllowed;
    if (!address.isCallback) return callbackReply(rejected('not-found'));

    event.headers = Object.fromEntries(Object.entries(event.headers).map(([name, text]) => [name.toLowerCase(), text]));
    if (secretSha256 === undefined || isCallbackSecret(address.secret ?? '', secretSha256)) return undefined;
    const rejection = rejected('callback-secret-wrong');
    onReply(rejection);
    return callbackReply(rejection);
  },
});

/** The query. API Gateway joins repeated parameters with commas. Only the raw query still shows that there were two. */
export const queryOf = ({ rawQueryString }: { readonly rawQueryString: string }): Form =>
  formOf(encodedWithoutZeros(rawQueryString));

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

/** In UTF-8, all that the parser knows. Non-ASCII bytes are encoded: beside a stray percent sign it would cut them. */
const formText = (sent: SentBody): string => {
  const form = bytesOf(sent).toString('latin1');
  const declared = declaredDecoder(sent);
  const decoder = declared.encoding.startsWith('utf') ? new TextDecoder() : declared;
  const isAsParsed = decoder.encoding === 'utf-8' && !/[\x80-\xff]/.test(form);
  const recoded = (part: string) => encodeURIComponent(decoder.decode(percentBytes(part.replaceAll('+', ' '))));
  return encodedWithoutZeros(isAsParsed ? form : form.replace(/[^&=]+/g, recoded));
};

const encodedWithoutZeros = (encoded: string): string => encoded.replaceAll('\0', '').replaceAll('%00', '');

/** Whether a content type says that the body is a form. A body without a type is read as one. */
const isFormType = (contentType: string): boolean =>
  contentType.trim() === '' || /^application\/x-www-form-urlencoded *(;|$)/i.test(contentType);

const isJsonType = (contentType: string): boolean => /^(application|text)\/([\w.-]+\+)?json *(;|$)/i.test(contentType);

/** JSON that was sent as a form stays text, as does a form with more fields than the parser reads: it drops the rest. */
export const parseForm = (): Middleware => {
  const { before } = urlEncodeBodyParser({ disableContentTypeCheck: true });
  return {
    before: (request) => {
      const { event } = request;
      if (!isFormType(contentTypeOf(event)) || isLikeJson(bodyText(event))) return;
      event.body = formText(event);
      event.isBase64Encoded = false;
      if (!hasTooManyFields(event.body)) before?.(request as never);
    },
  };
};

const hasTooManyFields = (form: string): boolean => form.split('&', maxFields + 1).length > maxFields;

/** What begins like JSON is JSON, and what has the fields of a callback is a form, whatever the content type says. */
export const contentOf = (event: SentBody): Posted['content'] => {
  const { body } = event;
  if (isForm(body)) return { form: body };
  const contentType = contentTypeOf(event);
  const text = bodyText(event);
  // Without a body its type means nothing: the data may be in the query.
  if (text === '' || isLikeJson(text)) return { json: text };
  if (isFormType(contentType)) return { unread: text, reason: 'too-many-fields' };
  const form = hasTooManyFields(text) ? {} : formOf(text);
  if (hasContent(form)) return { form };
  return isJsonType(contentType) ? { json: text } : { unread: text, reason: 'unsupported-content-type' };
};
