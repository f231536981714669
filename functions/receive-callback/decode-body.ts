import { type Form, formOf, hasContent, isForm, type Posted } from '../../lib/callback/parse-envelope.ts';
import { maxFields } from '../../lib/callback/reply.ts';
import { once } from '../../lib/core/collections.ts';
import { percentBytes, withBlanks } from '../../lib/core/encoding.ts';
import { isLikeJson } from '../../lib/core/json.ts';

/** The query. API Gateway joins repeated parameters with commas. Only the raw query still shows that there were two. */
export const queryOf = ({ rawQueryString }: { readonly rawQueryString: string }): Form =>
  formOf(encodedWithoutZeros(rawQueryString));

/** Header names are in lower case. */
interface SentBody {
  /** Once it is decoded: the fields of a form, or text. */
  readonly body?: unknown;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const contentTypeOf = ({ headers }: Pick<SentBody, 'headers'>): string => headers['content-type'] ?? '';

/** Whether a content type says that the body is a form. A body without a type is read as one. */
const isFormType = (contentType: string): boolean =>
  contentType.trim() === '' || /^application\/x-www-form-urlencoded *(;|$)/i.test(contentType);

const isJsonType = (contentType: string): boolean => /^(application|text)\/([\w.-]+\+)?json *(;|$)/i.test(contentType);

/**
 * The body as its parser needs it if it is a form, and otherwise as text. JSON that was sent as a form is text, and so is a form
 * with more fields than the parser reads: it drops the rest. They are counted before anything is decoded.
 */
export const decodedBody = (sent: SentBody): { readonly form?: string; readonly text?: string } => {
  const bytes = bytesOf(sent);
  const text = once(() => bodyText(sent, bytes));
  if (!isFormType(contentTypeOf(sent))) return { text: text() };
  const form = bytes.toString('latin1');
  const isJson = beginsWithBracket.test(form) && isLikeJson(text());
  return isJson || hasTooManyFields(form) ? { text: text() } : { form: formText(sent, form) };
};

/** In any charset, behind blanks and byte-order marks. */
const beginsWithBracket = /^[^!-~]*[[{]/;

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
 * between them. A byte-order mark of UTF-16 leaves characters that no charset has. JSON in UTF-16 has a zero beside each bracket and
 * quote, so JSON without any zero is UTF-8, whatever is declared.
 */
const bodyText = (sent: SentBody, bytes: Buffer): string => {
  if (!sent.isBase64Encoded) return withoutZeros(bytes.toString());
  const declared = declaredDecoder(sent);
  const isWrong = declared.encoding.startsWith('utf-16') && !bytes.includes(0);
  return withoutZeros((isWrong ? new TextDecoder() : declared).decode(bytes));
};

const withoutZeros = (text: string): string =>
  text.includes('\0') ? text.replaceAll('\0', '').replace(/^\ufffd+/, '') : text;

const hasTooManyFields = (form: string): boolean => form.split('&', maxFields + 1).length > maxFields;

/**
 * A form in the only spelling that its parser reads right: in UTF-8, and with nothing but ASCII where a percent sign stands alone.
 * So names and values with other bytes, with zeros or in another charset are decoded here, and the marks of a form in them are
 * encoded again. A name is decoded too because it may be JSON that was posted in place of a field.
 */
const formText = (sent: SentBody, form: string): string => {
  const declared = declaredDecoder(sent);
  const decoder = declared.encoding.startsWith('utf') ? new TextDecoder() : declared;
  const isAsParsed = (part: string) =>
    decoder.encoding === 'utf-8' && !part.includes('\0') && !/[\x80-\xff]/.test(part);
  const recoded = (part: string, marks: RegExp) =>
    isAsParsed(part) ? part : decoder.decode(percentBytes(part)).replace(marks, encodeURIComponent);
  const recodedField = (field: string) => {
    const [name = '', ...value] = field.split(/=(.*)/s, 2);
    return [recoded(name, /[%&+=]+/g), ...value.map((text) => recoded(text, /[%&+]+/g))].join('=');
  };
  return encodedWithoutZeros(withBlanks(form).split('&').map(recodedField).join('&'));
};

const encodedWithoutZeros = (encoded: string): string => encoded.replaceAll('\0', '').replaceAll('%00', '');

/** What begins like JSON is JSON, and what has the fields of a callback is a form, whatever the content type says. */
export const contentOf = (decoded: Pick<SentBody, 'body' | 'headers'>): Posted['content'] => {
  const { body } = decoded;
  if (isForm(body)) return { form: body };
  const contentType = contentTypeOf(decoded);
  const text = typeof body === 'string' ? body : '';
  // Without a body its type means nothing: the data may be in the query.
  if (text === '' || isLikeJson(text)) return { json: text };
  if (isFormType(contentType)) return { unread: text, reason: 'too-many-fields' };
  const form = hasTooManyFields(text) ? {} : formOf(text);
  if (hasContent(form)) return { form };
  return isJsonType(contentType) ? { json: text } : { unread: text, reason: 'unsupported-content-type' };
};
