/** The body of an event with its content type. */
export interface SentBody {
  readonly body?: unknown;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The content type of an event whose header names are in lower case. */
export const contentTypeOf = ({ headers }: Pick<SentBody, 'headers'>): string => headers['content-type'] ?? '';

const bytesOf = ({ body, isBase64Encoded }: SentBody): Buffer =>
  Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded ? 'base64' : 'utf8');

/** Decodes the charset that the content type declares. Without one that is known it is UTF-8. */
const decoderOf = (sent: SentBody) => {
  const [, charset] = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentTypeOf(sent)) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
};

/**
 * The body as text. API Gateway encodes in base64 whatever is not text by its type, such as a form. Zeros are left out: they
 * mean nothing in JSON or a form, and UTF-16 that does not say so would hide a key between them. Of its byte-order mark
 * characters are left that no charset has.
 */
export const bodyText = (sent: SentBody): string => {
  const bytes = bytesOf(sent);
  const text = sent.isBase64Encoded ? decoderOf(sent).decode(bytes) : bytes.toString();
  return text.includes('\0') ? text.replaceAll('\0', '').replace(/^\ufffd+/, '') : text;
};

/**
 * A form as text in UTF-8, the only charset that its parser knows. Bytes that are not in ASCII are encoded: beside a stray
 * percent sign the parser would cut them. What declares UTF-16 is in ASCII, as its names are.
 */
export const formText = (sent: SentBody): string => {
  const form = bytesOf(sent).toString('latin1');
  const declared = decoderOf(sent);
  const decoder = declared.encoding.startsWith('utf') ? new TextDecoder() : declared;
  const isAsParsed = decoder.encoding === 'utf-8' && !/[\x80-\xff]/.test(form);
  const recoded = (part: string) => encodeURIComponent(decoder.decode(decodedBytes(part)));
  return withoutZeros(isAsParsed ? form : form.replace(/[^&=]+/g, recoded));
};

/** A form or query without zeros. */
export const withoutZeros = (encoded: string): string => encoded.replaceAll('\0', '').replaceAll('%00', '');

/** The bytes that a part of a form stands for. */
const decodedBytes = (part: string): Buffer =>
  Buffer.from(
    part
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
