import type fc from 'fast-check';

/** Is told, a line at a time, what happens in a history. */
export type Tell = (line: string) => void;

/** How often things happened: histories that never park or die would prove little. */
export type Tally = Readonly<Record<string, number>>;

/** One model: which histories there are, and how one is played and checked. Histories are plain data. */
export interface Play<History> {
  readonly name: string;
  readonly histories: fc.Arbitrary<History>;
  /** Plays a history in a new world and checks what it led to. Throws where a guarantee does not hold. */
  readonly play: (history: History, tell?: Tell) => Promise<Tally>;
}
