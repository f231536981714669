/** What a reader would make of the escapes of JSON in a text. A run of backslashes is read from its start only, or a long one takes for ever. */
export const unescaped = (text: string): string =>
  text
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?<!\\)\\+(["\\/])/g, '$1');

/** What a reader would make of the escapes of a form or an address. */
export const percentDecoded = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** A text as it is and, if there are any escapes in it, as they may be read. */
export const readings = (text: string): readonly string[] => {
  const once = text.includes('\\') ? [unescaped(text)] : [];
  if (!text.includes('%')) return [text, ...once];
  const decoded = percentDecoded(text);
  return [text, ...once, decoded, unescaped(decoded), percentDecoded(decoded), unescaped(percentDecoded(decoded))];
};
