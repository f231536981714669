import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account, PolledAccount } from '../../../lib/accounts/accounts.ts';
import { chance, pick, type Random } from '../../../sandbox/simulator/random.ts';
import type { Call, Fault, FaultInjector, Instance, ServiceName } from '../../deployment/functions.ts';
import { log, must } from '../property.ts';

/** A key that also occurs in other fields than its own. */
export const straySecret = 'demo-key-SECRET-4f0c';

export const personMark = 'PERSON';

export const secretMark = 'SECRET';

const keys = { demo: 'demo-key-SECRET-11', other: 'other-key-SECRET-22' } as const;
const token = { kind: 'none' } as const;

/** Accounts in different time zones. Their calls have the same ids. */
export const callAccounts: readonly [Account, Account] = [
  { userName: 'demo', apiKeys: [keys.demo, straySecret], timeZone: 'Asia/Kolkata', token },
  { userName: 'other', apiKeys: [keys.other], timeZone: 'Europe/London', token },
];

/** Polled accounts, in time zones with different midnights. */
export const polledAccounts = callAccounts.map((account): PolledAccount => {
  const { userName, timeZone } = account;
  return {
    userName,
    timeZone,
    apiKeys: [keys[userName as keyof typeof keys]],
    baseUrl: `https://${userName}.invalid`,
    token,
  };
});

/** Faults in some calls of a process, counted from its start; the other calls pass. */
export interface FaultRule {
  readonly from: number;
  readonly count: number;
  readonly fault: Fault;
  /** Only calls of this service, if not all. */
  readonly service?: ServiceName | undefined;
}

interface InjectedFault<Slot> extends Call {
  readonly slot: Slot;
  readonly fault: Fault;
}

/** The faults of some rules: the first rule that matches a call decides. `onFault` receives every fault but `pass`. */
const faultInjector =
  (rules: readonly FaultRule[], onFault: (call: Call, fault: Fault) => void): FaultInjector =>
  (call) => {
    const { fault = 'pass' } = rules.find((rule) => matches(rule, call)) ?? {};
    if (fault !== 'pass') onFault(call, fault);
    return fault;
  };

const matches = ({ from, count, service }: FaultRule, call: Call): boolean =>
  call.index >= from && call.index < from + count && (service === undefined || service === call.service);

/** One process for each slot, started when it is needed and again after each crash. */
export const livingProcesses = <Slot extends string>(start: (slot: Slot) => Instance) => {
  const live = new Map<Slot, Instance>();
  return {
    of(slot: Slot): Instance {
      const known = live.get(slot);
      const instance = known === undefined || known.hasCrashed() ? start(slot) : known;
      live.set(slot, instance);
      return instance;
    },
    /** The next invocation of a slot gets a new process. */
    restart: (slot: Slot): void => void live.delete(slot),
    restartAll: (): void => live.clear(),
  };
};

/** Processes of which each has the faults of its rules, and then none once they are healed. */
export const createProcesses = <Slot extends string>(
  start: (faultFor: FaultInjector, slot: Slot) => Instance,
  rules: Readonly<Record<Slot, readonly (readonly FaultRule[])[]>>,
) => {
  const counts = new Map<Slot, number>();
  const injected: InjectedFault<Slot>[] = [];
  let isHealed = false;
  const processes = livingProcesses((slot: Slot): Instance => {
    const before = counts.get(slot) ?? 0;
    counts.set(slot, before + 1);
    const faultFor = faultInjector(rules[slot][before] ?? [], (call, fault) => {
      injected.push({ ...call, slot, fault });
      log(() => `  ${slot}: ${call.service} ${call.operation} (call ${call.index}): ${fault}`);
    });
    return start((call) => (isHealed ? 'pass' : faultFor(call)), slot);
  });

  return {
    ...processes,
    /** No more faults from now on. */
    heal() {
      isHealed = true;
    },
    /** How many have been started for a slot. */
    started: (slot: Slot): number => counts.get(slot) ?? 0,
    injected: (): readonly InjectedFault<Slot>[] => injected,
  };
};

export type Processes<Slot extends string> = ReturnType<typeof createProcesses<Slot>>;

/** Guarantee 2: events are repeated only after the publisher crashed, restarted or missed an answer. */
export const mustExplainRepeats = <Slot extends string>(
  { started, injected }: Pick<Processes<Slot>, 'started' | 'injected'>,
  publisher: Slot,
  repeats: number,
): void => {
  const isUnsure = (fault: Fault): boolean => fault === 'lose' || fault.startsWith('crash');
  const isExplained =
    started(publisher) > 1 || injected().some(({ slot, fault }) => slot === publisher && isUnsure(fault));
  must(repeats === 0 || isExplained, () => `Guarantee 2: ${repeats} events were repeated without a reason`);
};

/** An activity that waits for something else than its turn would hang; it is detected after so many rounds. */
const maxIdleRounds = 100_000;

/**
 * Runs activities concurrently. Whenever all of them wait, `continueOne` lets one continue: whatever does not wait runs on
 * promises alone. `continueOne` returns whether any was waiting.
 */
const runInterleaved = async <Result>(
  activities: readonly (() => Promise<Result>)[],
  continueOne: () => boolean,
): Promise<readonly Result[]> => {
  let left = activities.length;
  const results = Promise.all(
    activities.map((activity) =>
      activity().finally(() => {
        left -= 1;
      }),
    ),
  );
  results.catch(() => undefined);
  for (let idle = 0; left > 0; ) {
    await nextTurn();
    idle = continueOne() ? 0 : idle + 1;
    if (idle > maxIdleRounds) throw new Error('An activity waits for something that never happens');
  }
  return results;
};

/** Activities that wait for their turn. Which of them is next is random. */
const randomQueue = (random: Random) => {
  const waiting = new Set<() => void>();

  return {
    isEmpty: (): boolean => waiting.size === 0,
    /** Resolves when it is the caller's turn. */
    take: (): Promise<void> => new Promise((resolve) => waiting.add(resolve)),
    /** Lets one continue. Returns whether any was waiting. */
    continueOne(): boolean {
      if (waiting.size === 0) return false;
      const go = pick(random, [...waiting]);
      waiting.delete(go);
      go();
      return true;
    },
  };
};

interface Clock {
  readonly now: () => Date;
  readonly advance: (milliseconds: number) => void;
}

/** How often a call takes so long that a sleeper wakes before it takes effect. */
const slowShare = 0.15;

/**
 * Lets calls take effect one at a time in the order of these random numbers: concurrency that can be repeated. The clock
 * may be created later.
 */
export const createScheduler = (random: Random, clock: () => Clock) => {
  const turns = randomQueue(random);
  const sleeping = new Map<() => void, number>();

  const wakeFirst = (): void => {
    const [first] = [...sleeping].sort(([, a], [, b]) => a - b);
    if (first === undefined) return;
    const [wake, atMs] = first;
    sleeping.delete(wake);
    clock().advance(Math.max(0, atMs - clock().now().getTime()));
    wake();
  };
  const continueOne = (): boolean => {
    if (sleeping.size === 0 || (!turns.isEmpty() && !chance(random, slowShare))) return turns.continueOne();
    wakeFirst();
    return true;
  };

  return {
    /** Resolves when it is the caller's turn. */
    take: turns.take,
    /** A sleeper wakes when no call waits, or sometimes earlier: then the clock moves. */
    sleep: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => sleeping.set(resolve, clock().now().getTime() + Math.max(0, milliseconds))),
    /** Runs activities concurrently and resolves once all are done. */
    together: <Result>(activities: readonly (() => Promise<Result>)[]) => runInterleaved(activities, continueOne),
  };
};

export type Scheduler = ReturnType<typeof createScheduler>;
