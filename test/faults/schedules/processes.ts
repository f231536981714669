import type { Call, Fault, FaultInjector, ServiceName } from '../world/fault.ts';
import type { Instance } from '../world/instance.ts';
import type { Log } from './model.ts';

/** What a process meets in some of its calls, counted from its start; in all others all is well. */
export interface FaultRule {
  readonly from: number;
  readonly count: number;
  readonly fate: Fault;
  /** Only calls of this service, if not all. */
  readonly service?: ServiceName | undefined;
}

/** Something that went wrong, by whom and at what. */
export interface InjectedFault<Slot> extends Call {
  readonly slot: Slot;
  readonly fate: Fault;
}

/** The fates that strikes make: the first that is meant for a call decides. `onStrike` is told what is not `pass`. */
const faultInjector =
  (strikes: readonly FaultRule[], onStrike: (call: Call, fate: Fault) => void): FaultInjector =>
  (call) => {
    const { fate = 'pass' } = strikes.find((strike) => isMeant(strike, call)) ?? {};
    if (fate !== 'pass') onStrike(call, fate);
    return fate;
  };

const isMeant = ({ from, count, service }: FaultRule, call: Call): boolean =>
  call.index >= from && call.index < from + count && (service === undefined || service === call.service);

/** One process for each slot, started when it is needed and once more whenever it has died. */
export interface Processes<Slot> {
  readonly of: (slot: Slot) => Instance;
  /** The slot's next work is done by a process that has just started. */
  readonly restart: (slot: Slot) => void;
  /** From now on nobody meets anything bad. */
  readonly heal: () => void;
  /** How many have been started for a slot. */
  readonly started: (slot: Slot) => number;
  readonly struck: () => readonly InjectedFault<Slot>[];
}

/** Processes that `start` makes, which meet what a history has for them. */
export const createProcesses = <Slot extends string>(
  start: (fateOf: FaultInjector, slot: Slot) => Instance,
  strikes: Readonly<Record<Slot, readonly (readonly FaultRule[])[]>>,
  tell: Log,
): Processes<Slot> => {
  const live = new Map<Slot, Instance>();
  const counts = new Map<Slot, number>();
  const struck: InjectedFault<Slot>[] = [];
  let isHealed = false;

  const started = (slot: Slot): Instance => {
    const before = counts.get(slot) ?? 0;
    counts.set(slot, before + 1);
    const fateOf = faultInjector(strikes[slot][before] ?? [], (call, fate) => {
      struck.push({ ...call, slot, fate });
      tell(`  ${slot}: ${call.service} ${call.operation} (call ${call.index}): ${fate}`);
    });
    return start((call) => (isHealed ? 'pass' : fateOf(call)), slot);
  };

  return {
    of(slot) {
      const known = live.get(slot);
      const instance = known === undefined || known.isDead() ? started(slot) : known;
      live.set(slot, instance);
      return instance;
    },
    restart: (slot) => live.delete(slot),
    heal() {
      isHealed = true;
    },
    started: (slot) => counts.get(slot) ?? 0,
    struck: () => struck,
  };
};
