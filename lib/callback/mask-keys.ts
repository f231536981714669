/** What stands where a key stood. */
export const mask = '***';

/**
 * A key's field in JSON, in a form or in either inside the other (quotes escaped or percent-encoded), and its value up
 * to where it can end. Anything named like a key is masked, ours or not: it is somebody's secret.
 */
const claimedKey =
  /(api[_-]?key(?:\\*["']|%22)?(?:\s|%20|\+)*(?:[:=]|%3A|%3D)(?:\s|%20|\+)*(?:\\*["']|%22)?)((?:(?!%22|%26|%2C|%7D)[^"'&,\s}\\]|\\[^"'])+)/gi;

/** The text without the keys: those that are known, wherever they stand, and whatever stands in a key's field. */
export const maskKeys = (text: string, keys: readonly string[]): string =>
  keys
    .flatMap((key) => [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)])
    .reduce((masked, key) => masked.replaceAll(key, mask), text)
    .replace(claimedKey, `$1${mask}`);

/** The key that a text claims, though it could not be parsed: enough to tell an account's broken post from a stranger's. */
export const claimedKeyIn = (text: string): string | undefined => new RegExp(claimedKey, 'i').exec(text)?.[2];
