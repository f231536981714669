/** The services that stand behind the wire, by their names in AWS's addresses. */
export type WireService = 'dynamodb' | 'eventbridge' | 'sqs' | 'secretsmanager';

/** What a function asks of AWS. */
export interface WireRequest {
  readonly service: WireService;
  /** Such as `PutItem`. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** An event that the bus took; `detail` is its JSON as it was sent. */
export interface WireEvent {
  readonly source: string;
  readonly type: string;
  readonly detail: string;
}

/** What a request took. */
export interface Taken {
  /** Write units in all, and how many of them the table's indexes took. */
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  readonly readUnits: number;
  readonly events: readonly WireEvent[];
}

/** A request that came, and what it took. */
export type WireCall = WireRequest & Taken;

/** Nothing. */
export const nothingTaken: Taken = { writeUnits: 0, indexWriteUnits: 0, readUnits: 0, events: [] };

/**
 * What becomes of a request that is not simply answered: `before` is a fault of the service, without effect; `after` has
 * its effect, and the connection is cut; `silent` has no effect and is never answered; of `partial` the bus refuses the
 * first entry while the request succeeds.
 */
export type Fate = 'before' | 'after' | 'silent' | 'partial';

/** Decides what becomes of a request; undefined: it is answered. A promise holds the request back. */
export type FateOf = (request: WireRequest) => Fate | undefined | Promise<Fate | undefined>;
