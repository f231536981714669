/** Orders texts by their code units: the same on every machine, whatever its language. */
export const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
