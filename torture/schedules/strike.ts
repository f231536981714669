import type { Call, Fate, FateOf, ServiceName } from '../world/fate.ts';

/** What a process meets in some of its calls, counted from its start; in all others all is well. */
export interface Strike {
  readonly from: number;
  readonly count: number;
  readonly fate: Fate;
  /** Only calls of this service, if not all. */
  readonly service?: ServiceName | undefined;
}

/** Something that went wrong, by whom and at what. */
export interface Struck<Slot> extends Call {
  readonly slot: Slot;
  readonly fate: Fate;
}

/** The fates that strikes make: the first that is meant for a call decides. `onStrike` is told what is not `pass`. */
export const fatesOf =
  (strikes: readonly Strike[], onStrike: (call: Call, fate: Fate) => void): FateOf =>
  (call) => {
    const { fate = 'pass' } = strikes.find((strike) => isMeant(strike, call)) ?? {};
    if (fate !== 'pass') onStrike(call, fate);
    return fate;
  };

const isMeant = ({ from, count, service }: Strike, call: Call): boolean =>
  call.index >= from && call.index < from + count && (service === undefined || service === call.service);
