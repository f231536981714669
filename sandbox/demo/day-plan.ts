import { addDays, startOfDay } from '../../lib/core/time.ts';
import { answered, type PlannedCall, type Scenario } from '../simulator/call.ts';
import type { Campaign, SimulatedAgent } from '../simulator/centre.ts';
import { between, chance, type Random } from '../simulator/random.ts';
import { type Arrival, arrivalsOf, newCaller, patienceOf } from './callers.ts';
import {
  callerNumber,
  inboundCampaigns,
  instantOn,
  orders,
  outboundCampaign,
  randomOfDay,
  support,
  understaffed,
} from './centre.ts';
import { createDesks, type Desks } from './desk.ts';
import { inboundCall, lengthOf, missedCall, outgoingCall, scenarioNamed, targetOf } from './planned-calls.ts';
import { type Stretch, stretchesOn } from './shifts.ts';

export interface DayEvents {
  readonly badHour?: boolean;
  readonly campaign?: boolean;
  readonly transferChain?: boolean;
}

export interface DayOrder {
  readonly seed: number;
  readonly date: string;
  readonly timeZone: string;
  readonly events?: DayEvents;
}

/** A day of the contact centre. Instants are in milliseconds since the epoch. */
export interface DayPlan {
  readonly date: string;
  readonly from: number;
  readonly until: number;
  readonly stretches: readonly Stretch[];
  /** In the order in which they begin. */
  readonly calls: readonly PlannedCall[];
  /** The call that goes from one agent to the next and then on to another skill, and the call as which it went on. */
  readonly chain: readonly string[];
}

/** A caller to whom nobody has spoken yet, and who is to be called back. */
interface Callback {
  readonly customer: string;
  readonly campaign: Campaign;
  readonly dueAt: number;
  readonly attempts: number;
}

/** The same order makes the same day. No call begins in its last minutes, so that days can be planned apart. */
export const planDay = ({ seed, date, timeZone, events = {} }: DayOrder): DayPlan => {
  const from = Date.parse(startOfDay(date, timeZone));
  const until = Date.parse(startOfDay(addDays(date, 1), timeZone));
  const stretches = stretchesOn(seed, date, timeZone, events.badHour === true);
  const random = randomOfDay(seed, date, 2);
  const day = createDay(random, createDesks(stretches));
  const isOpen = opened({ date, timeZone, from });
  const arrivals = arrivalsOf(random, { date, timeZone, events, from, until });
  const chainFrom = events.transferChain === true ? instantOn(date, '11:00', timeZone) : until;
  const lastAt = until - 25 * minute;

  let next = 0;
  for (let at = from; at < lastAt; at += second) {
    for (; (arrivals[next]?.since ?? until) <= at; next++) day.arrive(arrivals[next]);
    if (at >= chainFrom) day.beginChain(at);
    day.returnCalls(at);
    day.giveUp(at, lastAt);
    day.distribute(at);
    if (isOpen(at)) day.callBack(at);
    if (events.campaign === true && isOpen(at, campaignHours)) day.callForCampaign(at);
  }
  const calls = day.calls().toSorted((one, other) => one.startedAt - other.startedAt);
  return { date, from, until, stretches, calls, chain: day.chain() };
};

const second = 1000;
const minute = 60 * second;

const officeHours = [['08:00', '20:30']] as const;
const campaignHours = [
  ['10:15', '12:00'],
  ['16:15', '17:30'],
] as const;
type Hours = readonly (readonly [from: string, until: string])[];

const opened = ({ date, timeZone }: Readonly<{ date: string; timeZone: string; from: number }>) => {
  const known = new Map<Hours, readonly (readonly [number, number])[]>();
  const spansOf = (hours: Hours) =>
    hours.map(([from, until]) => [instantOn(date, from, timeZone), instantOn(date, until, timeZone)] as const);
  return (at: number, hours: Hours = officeHours): boolean => {
    const spans = known.get(hours) ?? spansOf(hours);
    known.set(hours, spans);
    return spans.some(([from, until]) => from <= at && at < until);
  };
};

const createDay = (random: Random, desks: Desks) => {
  const calls: PlannedCall[] = [];
  let queue: Arrival[] = [];
  let returning: Arrival[] = [];
  let callbacks: Callback[] = [];
  let chain: readonly string[] = [];
  let hasChain = false;

  const add = (call: PlannedCall): void => {
    desks.take(call);
    calls.push(call);
    if (call.scenario.answered) callbacks = callbacks.filter(({ customer }) => customer !== call.customer);
  };

  /** To whom an agent can transfer a call: in the chain to everybody. */
  const colleaguesOf = ({ campaign: { skill }, isChain }: Arrival, agent: SimulatedAgent, at: number) => {
    const asked = isChain === true ? inboundCampaigns.map((one) => one.skill) : [skill];
    const idle = asked.flatMap((one) => desks.idle(one, at)).filter(({ id }) => id !== agent.id);
    return [...new Set(idle)];
  };

  const answer = (waiting: Arrival, agent: SimulatedAgent, at: number): void => {
    const others = colleaguesOf(waiting, agent, at);
    const scenario = waiting.isChain === true ? chainScenario : drawScenario(random, waiting, others.length);
    const agents = [agent, ...others.slice(0, scenario.agents[1] - 1)];
    const call = inboundCall(random, { waiting, scenario, agents, at });
    add(call);
    const isLinked = waiting.follows !== undefined && chain.includes(waiting.follows.id);
    if (waiting.isChain === true || isLinked) chain = [...chain, call.id];
    if (call.scenario.transfer === 'Skill' || waiting.isChain === true) queue.push(onwards(waiting, call));
  };

  return {
    calls: (): readonly PlannedCall[] => calls,
    chain: () => chain,
    arrive(waiting: Arrival | undefined) {
      if (waiting !== undefined) queue.push(waiting);
    },
    /** The caller of the chain calls when enough agents are free for it. */
    beginChain(at: number) {
      const [agent] = desks.idle(orders.skill, at);
      const caller = { ...newCaller(random, at - 6 * second, false), campaign: orders, isChain: true };
      if (hasChain || agent === undefined || colleaguesOf(caller, agent, at).length < 2) return;
      hasChain = true;
      answer(caller, agent, at);
    },
    returnCalls(at: number) {
      queue.push(...returning.filter(({ since }) => since <= at));
      returning = returning.filter(({ since }) => since > at);
    },
    giveUp(at: number, lastAt: number) {
      const left = queue.filter(({ givesUpAt }) => givesUpAt <= at);
      queue = queue.filter(({ givesUpAt }) => givesUpAt > at);
      for (const waiting of left) {
        add(missedCall(random, waiting, at));
        const again = at + lengthOf(random, 60, 300, 1500) * second;
        if (waiting.attempt < 4 && again < lastAt && chance(random, 0.45))
          returning.push({
            ...waiting,
            since: again,
            givesUpAt: again + patienceOf(random),
            attempt: waiting.attempt + 1,
          });
        if (chance(random, 0.62) && callbacks.every(({ customer }) => customer !== waiting.customer))
          callbacks.push({ ...waiting, dueAt: at + lengthOf(random, 180, 1100, 5400) * second, attempts: 0 });
      }
    },
    /** In the order in which they came, as far as somebody with the skill is free. */
    distribute(at: number) {
      for (const waiting of queue.filter(({ since }) => since <= at)) {
        const [agent] = desks.idle(waiting.campaign.skill, at);
        if (agent === undefined) continue;
        queue = queue.filter((one) => one !== waiting);
        answer(waiting, agent, at);
      }
    },
    callBack(at: number) {
      const due = callbacks.find(({ dueAt }) => dueAt <= at);
      if (due === undefined || queue.length > 0) return;
      const [agent] = desks.idle(due.campaign.skill, at, 40);
      if (agent === undefined) return;
      callbacks = callbacks.filter((one) => one !== due);
      const isReached = chance(random, 0.78);
      add(outgoingCall(random, { ...due, agent, at, type: 'Manual', isReached }));
      if (!isReached && due.attempts === 0)
        callbacks.push({ ...due, dueAt: at + between(random, 25, 70) * minute, attempts: 1 });
    },
    callForCampaign(at: number) {
      const [agent] = desks.idle(outboundCampaign.skill, at, 25);
      if (agent === undefined || queue.length > 0 || !chance(random, 0.05)) return;
      const to = { customer: callerNumber(random), campaign: outboundCampaign };
      add(outgoingCall(random, { ...to, agent, at, type: 'Progressive', isReached: chance(random, 0.46) }));
    },
  };
};

const chainScenario: Scenario = { ...answered, name: 'agent-transfer', agents: [3, 3], transfer: 'Agent' };

const drawScenario = (random: Random, { follows, campaign }: Arrival, colleagues: number): Scenario => {
  const drawn = random();
  if (follows !== undefined) return answered;
  if (drawn < 0.05 && colleagues > 0) return { ...scenarioNamed('agent-transfer'), agents: [2, 2] };
  if (drawn < 0.08 && campaign.skill !== understaffed) return scenarioNamed('skill-transfer');
  return drawn < 0.1 ? scenarioNamed('conference') : answered;
};

/** Who goes on to another skill waits there for some time; the call of the chain until somebody is free. */
const onwards = ({ customer, isChain = false }: Arrival, call: PlannedCall): Arrival => ({
  customer,
  campaign: isChain ? support : (inboundCampaigns.find(({ skill }) => skill === targetOf(call.campaign)) ?? support),
  since: call.endedAt,
  givesUpAt: call.endedAt + (isChain ? 120 : 10) * minute,
  attempt: 4,
  follows: call,
});
