/** The units that the keys of one owner take in a second. */
export interface Tally {
  add(id: number, units: number): void;
  /** What the second came to; the next one begins. */
  close(): Second;
}

/** A second's units: of the key that took most, of all, and how many keys there were. */
export interface Second {
  readonly most: number;
  readonly units: number;
  readonly keys: number;
}

/** A tally of ids below `size`. */
export const tally = (size: number): Tally => {
  const taken = new Uint32Array(size);
  const touched = new Int32Array(size);
  let keys = 0;
  let most = 0;
  let units = 0;

  return {
    add(id, by) {
      const before = taken[id] ?? 0;
      if (before === 0) {
        touched[keys] = id;
        keys += 1;
      }
      taken[id] = before + by;
      units += by;
      if (before + by > most) most = before + by;
    },
    close() {
      for (let index = 0; index < keys; index++) taken[touched[index] ?? 0] = 0;
      const second = { most, units, keys };
      keys = 0;
      most = 0;
      units = 0;
      return second;
    },
  };
};
