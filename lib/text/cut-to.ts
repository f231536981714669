/** The most characters of a text, and the most entries of a list or map. */
export interface Cut {
  readonly characters: number;
  readonly entries: number;
}

/** The beginning of a value, of whatever is in it, and of the names in it; numbers stay. */
export const cutTo = (cut: Cut, value: unknown): unknown => {
  if (typeof value === 'string') return value.slice(0, cut.characters).toWellFormed();
  if (Array.isArray(value)) return value.slice(0, cut.entries).map((entry) => cutTo(cut, entry));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).slice(0, cut.entries);
  return Object.fromEntries(
    entries.map(([key, entry]) => [key.slice(0, cut.characters).toWellFormed(), cutTo(cut, entry)]),
  );
};
