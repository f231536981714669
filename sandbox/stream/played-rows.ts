import type { Item } from '../../lib/storage/rows.ts';

/**
 * Rows that are written with their events published already. Streams show such a write like any other, and its events must not
 * come again. A later write of the row has another version, or another instant.
 */
export const createPlayedRows = () => {
  const played = new Set<string>();

  return {
    add(item: Item) {
      played.add(nameOf(item));
    },
    has: (item: Readonly<Record<string, { readonly S?: string; readonly N?: string }>>): boolean =>
      played.size > 0 && played.has(nameOf(item)),
  };
};

export type PlayedRows = ReturnType<typeof createPlayedRows>;

const nameOf = (item: Readonly<Record<string, { readonly S?: string; readonly N?: string }>>): string =>
  JSON.stringify([item['pk']?.S, item['sk']?.S, item['version']?.N, item['recordedAt']?.S]);
