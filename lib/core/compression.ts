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
