import type { CallStore } from '../calls/record-delivery.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import type { KeyedDelivery } from './normalise-records.ts';
import type { Parked } from './parked.ts';
import { isUnknownSender, type Quarantine, type QuarantineEntry, quarantineEntry } from './quarantine.ts';

/** What became of one thing that was to be kept. */
export type Outcome = 'stored' | 'duplicate' | 'quarantined' | 'dropped' | 'parked';

/** The tables, and how long one piece of work may take with them. */
export interface Stores {
  readonly calls: CallStore;
  readonly quarantine: Quarantine;
  readonly deadline: Deadline;
}

/** The tables, the queue for when they are down, and somebody to tell about it. */
export interface StoresAndParking extends Stores {
  readonly parking: ParkingQueue;
  readonly telemetry: Telemetry;
}

/** Puts one thing where it belongs. What the calls' table can never take is quarantined. Throws if a table is down. */
export const store = async (
  stores: Pick<Stores, 'calls' | 'quarantine'>,
  item: Parked,
  signal: AbortSignal,
): Promise<Outcome> => {
  if (item.kind === 'quarantine') return quarantineOutcome(await stores.quarantine.store(item.entry, signal));

  const outcome = await stores.calls.record(item.key, item.delivery, signal);
  return outcome === 'rejected'
    ? quarantineOutcome(await stores.quarantine.store(notStorableEntry(item), signal))
    : outcome;
};

const quarantineOutcome = (kept: 'stored' | 'dropped'): Outcome => (kept === 'stored' ? 'quarantined' : kept);

/**
 * Stores everything, side by side but for what belongs to the same record, and parks what cannot be stored now.
 * If that cannot be parked either, nothing may be acknowledged.
 */
export const storeOrPark = async (
  ports: StoresAndParking,
  items: readonly Parked[],
): Promise<Result<readonly Outcome[], 'stores-unavailable'>> => {
  const signal = ports.deadline();
  const groups = [...Map.groupBy(items, orderingKey).values()];
  const tried = (
    await Promise.all(groups.map((group) => sequentially(group, (item) => tryStore(ports, item, signal))))
  ).flat();
  const toPark = tried.filter(({ outcome }) => outcome === 'parked').map(({ item }) => item);
  try {
    if (toPark.length > 0) await ports.parking.park(toPark);
  } catch (error) {
    ports.telemetry.fault('parking', error);
    return fail('stores-unavailable');
  }
  const outcomes = tried.map(({ outcome }) => outcome);
  const dropped = outcomes.filter((outcome) => outcome === 'dropped').length;
  if (dropped > 0) ports.telemetry.count('QuarantineDropped', dropped);
  return ok(outcomes);
};

interface StoreAttempt {
  readonly item: Parked;
  readonly outcome: Outcome;
}

const tryStore = async (ports: StoresAndParking, item: Parked, signal: AbortSignal): Promise<StoreAttempt> => {
  try {
    return { item, outcome: await store(ports, item, signal) };
  } catch (error) {
    ports.telemetry.fault(item.kind === 'quarantine' ? 'quarantine' : 'call-store', error);
    return { item, outcome: isFromUnknownSender(item) ? 'dropped' : 'parked' };
  }
};

/** The bounds on what strangers may leave lie in the table; while that is down they may leave nothing. */
const isFromUnknownSender = (item: Parked): boolean => item.kind === 'quarantine' && isUnknownSender(item.entry);

const sequentially = async <In, Out>(list: readonly In[], act: (item: In) => Promise<Out>): Promise<readonly Out[]> => {
  const results: Out[] = [];
  for (const item of list) results.push(await act(item));
  return results;
};

/** Deliveries to one record follow each other; anything else is on its own. */
const orderingKey = (item: Parked): unknown =>
  item.kind === 'quarantine' ? item : `${item.key.account} ${item.key.callId} ${item.key.part}`;

const notStorableEntry = ({ key, delivery }: KeyedDelivery): QuarantineEntry =>
  quarantineEntry({
    reason: 'not-storable',
    account: key.account,
    body: JSON.stringify({ ...key, facts: delivery.facts }),
    receivedAt: delivery.receivedAt,
  });

/** Gives the signal by which work on the tables has to be done, however much it is; after it the work is parked. */
export type Deadline = () => AbortSignal;

/** Takes what the tables cannot take now. */
export interface ParkingQueue {
  /** Resolves once all of it is durably in the queue; throws otherwise. */
  park(parked: readonly Parked[]): Promise<void>;
}
