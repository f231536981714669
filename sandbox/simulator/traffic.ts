import { once } from 'node:events';
import * as z from 'zod';
import type { Account } from '../../lib/accounts/accounts.ts';
import type { SandboxClock } from '../frame/lifecycle.ts';
import { longestCallMilliseconds } from './call.ts';
import { type Engagement, type LiveCentre, maxAgents, minAgents } from './centre.ts';
import { fork, pick, type Random } from './random.ts';
import { kinds, type SimulatedCall, simulatedCall } from './simulated-call.ts';

export const maxCallsPerMinute = 600;

export const TrafficRules = z.strictObject({
  on: z.boolean(),
  /** With 0 no calls begin, and the agents stay. */
  callsPerMinute: z.number().min(0).max(maxCallsPerMinute),
  /** Scenarios and quirks: each call has one of these. An empty list means the usual mixture of all. */
  kinds: z.array(z.enum(kinds)).max(kinds.length),
  agents: z.int().min(minAgents).max(maxAgents),
});
export type TrafficRules = z.infer<typeof TrafficRules>;

export interface TrafficSettings {
  readonly random: Random;
  readonly readAccount: () => Account | undefined;
  /** Also read by getAgentLogins. */
  readonly centre: LiveCentre;
  readonly rules: Pick<TrafficRules, 'on' | 'callsPerMinute' | 'kinds'>;
  readonly clock: SandboxClock;
  readonly stopped: AbortSignal;
  /** Called with a call when its first post is due. It must not wait for the posts. */
  readonly launch: (simulated: SimulatedCall) => void;
}

const firstAfterMilliseconds = 1000;

/** Calls are planned ahead by the length of the longest one, so that no agent is in two of them. */
export const createTraffic = (settings: TrafficSettings) => {
  const { random, readAccount, centre, clock, stopped, launch } = settings;
  let { rules } = settings;
  let planned: readonly { readonly dueAt: number; readonly simulated: SimulatedCall }[] = [];
  let nextAt = clock.now() + firstAfterMilliseconds;
  let changedAt = Number.NEGATIVE_INFINITY;
  let changed = new AbortController();

  const planOne = (account: Account, now: number): void => {
    const own = fork(random);
    const kind = rules.kinds.length === 0 ? undefined : pick(own, rules.kinds);
    const simulated = simulatedCall(own, nextAt, centre.planned(), account, kind);
    // Agents counted as free until the change, so a call that would have begun before it is dropped.
    if (startOf(simulated) < changedAt) return;
    centre.engage(engagementsOf(simulated), now);
    planned = [...planned, { dueAt: nextAt, simulated }];
  };
  const planAhead = (now: number): void => {
    const account = readAccount();
    if (account === undefined || !rules.on || rules.callsPerMinute === 0) return;
    for (; nextAt <= now + longestCallMilliseconds; nextAt += gapMilliseconds(random, rules.callsPerMinute))
      planOne(account, now);
  };

  return {
    async run() {
      while (!stopped.aborted) {
        planAhead(clock.now());
        const [next, ...others] = planned;
        const signal = AbortSignal.any([stopped, changed.signal]);
        // Without a planned call there is nothing to wait for but a change.
        await (next === undefined ? aborted(signal) : clock.sleep(next.dueAt - clock.now(), signal));
        if (signal.aborted || next === undefined) continue;
        planned = others;
        launch(next.simulated);
      }
    },
    /** Calls in progress end as planned. If traffic is off, they vanish. */
    change(next: TrafficSettings['rules']) {
      rules = next;
      changedAt = clock.now();
      nextAt = changedAt;
      const begun = planned.filter(({ simulated }) => rules.on && startOf(simulated) < changedAt);
      const dropped = planned.filter((one) => !begun.includes(one));
      centre.cancel(dropped.flatMap(({ simulated }) => engagementsOf(simulated)));
      planned = begun;
      changed.abort();
      changed = new AbortController();
    },
  };
};

const aborted = (signal: AbortSignal): Promise<unknown> => (signal.aborted ? Promise.resolve() : once(signal, 'abort'));

const engagementsOf = ({ calls }: SimulatedCall): readonly Engagement[] => calls.flatMap((call) => call.engagements);

const startOf = ({ calls }: SimulatedCall): number =>
  calls.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...calls.map(({ startedAt }) => startedAt));

/** Calls are independent of each other, but gaps are limited so that users never wait long for a call. */
const gapMilliseconds = (random: Random, callsPerMinute: number): number => {
  const mean = 60_000 / callsPerMinute;
  return Math.min(3 * mean, Math.max(1, -Math.log(1 - random()) * mean));
};
