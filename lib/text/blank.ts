const blanks = new Set(['', 'none', 'null', '-']);

/**
 * The text without surrounding space, or undefined where the sender means "nothing".
 * Practice: `""`, `None`, `null` and `-` all arrive for a missing value, in any letter case.
 */
export const nonBlank = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim();
  return trimmed === undefined || (trimmed.length <= 4 && blanks.has(trimmed.toLowerCase())) ? undefined : trimmed;
};
