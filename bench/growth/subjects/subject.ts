/** Work that can be done again and again. */
export interface Work {
  /** Brings everything to where the work begins; not measured. */
  prepare(): Promise<void>;
  run(): Promise<void>;
}

/** Measures a piece of work by its name. */
export type Measured = (name: string, work: Work) => Promise<void>;

/** What grows, and what is to be done at each size. */
export interface Subject {
  readonly name: string;
  /** What its size counts. */
  readonly counted: string;
  /** From small to large. */
  readonly sizes: readonly number[];
  /** The size from which on growth is looked at, as smaller ones are done in another way. */
  readonly base: number;
  visit(size: number, measured: Measured): Promise<void>;
}
