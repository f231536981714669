import { isUtf8 } from 'node:buffer';

/** The body of an event with its content type. */
export interface SentBody {
  readonly body?: unknown;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The content type of an event whose header names are in lower case. */
export const contentTypeOf = ({ headers }: Pick<SentBody, 'headers'>): string => headers['content-type'] ?? '';

/**
 * The body as text. API Gateway encodes in base64 whatever is not text by its type, such as a form. Bytes are decoded by the
 * charset of the content type. UTF-16 is recognised without one, so that a key in it is found.
 */
export const bodyText = (sent: SentBody): string => {
  const bytes = bytesOf(sent);
  if (sent.isBase64Encoded) return decoderOf(bytes, charsetOf(sent))(bytes);
  const text = bytes.toString();
  return utf16AsText.test(text) ? text.replace(/^\ufffd+|\0/g, '') : text;
};

/** Matches UTF-16 that API Gateway passed as text. Of its characters only those of ASCII are left. */
const utf16AsText = /^(?:\ufffd{2})*.?\0/s;

/**
 * A form as text. What was percent-encoded in another charset is encoded again in UTF-8, the only one that the parser of
 * forms knows. So no byte is lost.
 */
export const formText = (sent: SentBody): string => {
  const bytes = bytesOf(sent);
  return isLikeUtf16(bytes) ? bodyText(sent) : inUtf8(bytes, charsetOf(sent));
};

/** The query of an address in the same way. Nothing declares its charset. */
export const queryText = (raw: string): string => inUtf8(Buffer.from(raw), 'utf-8');

const inUtf8 = (encoded: Buffer, charset: string): string => {
  const text = encoded.toString('latin1');
  if (!ofCharset.test(text)) return text;
  return text.replace(/[^&=]+/g, (part) => {
    const bytes = Buffer.from(percentDecoded(part), 'latin1');
    return encodeURIComponent(decoderOf(bytes, charset)(bytes));
  });
};

/** A byte whose meaning depends on the charset. The zero is half of a character in UTF-16. */
const ofCharset = /[\x80-\xff]|%(?:00|[89a-f][0-9a-f])/i;

/** The bytes that a part of a form stands for, each as one character. */
const percentDecoded = (part: string): string =>
  part
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const bytesOf = ({ body, isBase64Encoded }: SentBody): Buffer =>
  Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded ? 'base64' : 'utf8');

/** Every content begins with two characters of ASCII, or with a byte-order mark. */
const isLikeUtf16 = ([first, second, third, fourth]: Buffer): boolean =>
  (first === 0 && second !== 0 && third === 0) ||
  (first !== 0 && second === 0 && fourth === 0) ||
  (first === 0xfe && second === 0xff) ||
  (first === 0xff && second === 0xfe);

type Decoder = (bytes: Buffer) => string;

const charsetOf = (sent: SentBody): string =>
  /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentTypeOf(sent))?.[1] ?? 'utf-8';

const decoderOf = (bytes: Buffer, charset: string): Decoder => {
  if (isLikeUtf16(bytes)) return decoderFor(bytes[0] === 0 || bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le');
  // A text that declares UTF-16 but is not in UTF-16 is read as UTF-8: it holds ASCII at least.
  return /^utf/i.test(charset) ? fromUtf8 : losslessDecoder(charset);
};

/**
 * Reads another charset. A text with a byte that the charset lacks, and one of an unknown charset, is read as UTF-8.
 */
const losslessDecoder = (charset: string): Decoder => {
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    return (bytes) => {
      try {
        return decoder.decode(bytes);
      } catch {
        return fromUtf8(bytes);
      }
    };
  } catch {
    return fromUtf8;
  }
};

const decoderFor = (charset: string): Decoder => {
  const decoder = new TextDecoder(charset);
  return (bytes) => decoder.decode(bytes);
};

/** In a text read as latin1: a character that has several bytes in UTF-8, or a byte that belongs to no character. */
const character =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** Reads UTF-8. A byte that belongs to no character is read as windows-1252, so that two different bytes stay different. */
const fromUtf8: Decoder = (bytes) => {
  if (isUtf8(bytes)) return bytes.toString();
  const windows = decoderFor('windows-1252');
  return bytes.toString('latin1').replace(character, (found) => {
    const part = Buffer.from(found, 'latin1');
    return isUtf8(part) ? part.toString() : windows(part);
  });
};
