import { hash } from 'node:crypto';
import { canonicalJson } from './json.ts';

/**
 * A short id for content: the first 128 bits of its SHA-256, in hexadecimal.
 * This file imports modules of Node, so code that runs in a browser must not import it.
 */
export const contentHash = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex').slice(0, 32);

/** The SHA-256 of a text. Digests have equal lengths, so secrets of any length can be compared in constant time. */
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Loaded when a text is compressed first: it takes 1 to 5 % of the cold start of a function, and some do without it.
 * Like every module of Node it is always there, so loading it cannot fail.
 */
const zlib = () => process.getBuiltinModule('node:zlib');

/** Compresses a text: gzip in base64, which a row, a message and any reader can hold. `base64 -d | gunzip` undoes it. */
export const compressText = (text: string | Buffer): string => zlib().gzipSync(text).toString('base64');

/** The inverse of `compressText`. Throws if it did not make the text. */
export const decompressText = (compressed: string): string =>
  zlib().gunzipSync(Buffer.from(compressed, 'base64')).toString();

/** A text as it was before its bytes were encoded as in an address; what is no escape stays, a plus sign too. */
export const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
