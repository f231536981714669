import type { MiddlewareObj } from '@middy/core';
import urlEncodeBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type Form, formOf, hasContent, isForm, type Posted } from '../../lib/callback/parse-envelope.ts';
import { maxFields } from '../../lib/callback/reply.ts';
import { percentBytes } from '../../lib/core/encoding.ts';
import { isLikeJson } from '../../lib/core/json.ts';

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

/** Whether a content type is that of a form. A body without a type is read as one. */
const isFormType = (contentType: string): boolean =>
  contentType.trim() === '' || /^application\/x-www-form-urlencoded *(;|$)/i.test(contentType);

const isJsonType = (contentType: string): boolean => /^(application|text)\/([\w.-]+\+)?json *(;|$)/i.test(contentType);

/** JSON that was sent as a form stays text, as does a form with more fields than the parser reads: it drops the rest. */
export const parseForm = (): MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2> => {
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

const hasTooManyFields = (form: string): boolean => {
  let fields = 1;
  for (let at = form.indexOf('&'); at >= 0 && fields <= maxFields; at = form.indexOf('&', at + 1)) fields += 1;
  return fields > maxFields;
};

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
