/** How a part of the torture is run. */
export interface PartOptions {
  /** The same seed tries the same things in the same order. */
  readonly seed: number;
  /** `quick` takes seconds and is part of `npm test`; `full` is run by hand. */
  readonly size: 'quick' | 'full';
  /** Told, a line at a time, how far the part has come; nothing of it is a result. */
  readonly onProgress: (line: string) => void;
}

/** One measured or counted fact. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  /** Such as `ms`, `MB` or `1/s`; none for a count. */
  readonly unit?: string;
}

/** What a part found. It held if there is no failure. */
export interface PartReport {
  readonly figures: readonly Figure[];
  /** Each breach of a guarantee in a sentence or two: which, after what, and how to see it again. */
  readonly failures: readonly string[];
}

/** One way of trying to break the guarantees. */
export interface Part {
  readonly name: string;
  /** In a few words, for the help text and the table. */
  readonly what: string;
  /** Rejects only where it could not be tried (no Java, a port in use); what broke is in the report. */
  readonly run: (options: PartOptions) => Promise<PartReport>;
}
