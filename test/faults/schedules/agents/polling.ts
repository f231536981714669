import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { maxRunSeconds } from '../../../../lib/agents/rate-limit.ts';
import type { Facts } from '../../../../lib/core/objects.ts';
import type { Envelope } from '../../../../sandbox/bus/event-log.ts';
import {
  expectConsistentEvents,
  expectSnapshotsToAgree,
  expectTimelinesToAddUp,
  statesAt,
} from '../../../support/agent-history.ts';
import { secretMark } from '../accounts.ts';
import { type ModelDefinition, must } from '../model.ts';
import {
  type AgentEvent,
  expectAgentsToBe,
  expectEachChangePublished,
  expectInterruptionsToEnd,
} from './check-agents.ts';
import type { ObservedRequest } from './contact-centre.ts';
import { type PlayedPolling, playPolling } from './play-polling.ts';
import { type PollingHistory, pollingHistories } from './polling-history.ts';

interface Listed {
  readonly agentId: string;
  readonly state: string;
  readonly stateAsSent: string;
}

const listedIn = (parts: readonly Facts[]): readonly Listed[] =>
  parts.flatMap(({ agents }) => (Array.isArray(agents) ? agents : []));

const byAgent = (listed: readonly Listed[], field: 'state' | 'stateAsSent') =>
  Object.fromEntries(listed.map((agent): [string, string] => [agent.agentId, agent[field]]).sort());

/**
 * The rows without the floors that runs left which were overtaken and then ended before they could take them back, as
 * the README's limits have it: an answer said so, and the timelines say otherwise. One for each run that was ended.
 */
const withoutStraySnapshots = (
  rows: readonly Facts[],
  asked: readonly ObservedRequest[],
  endedRuns: number,
): readonly Facts[] => {
  const answers = asked.flatMap(({ states }) => (states === undefined ? [] : [Object.fromEntries([...states].sort())]));
  const live = rows.filter((row) => row['kind'] === 'floor' && row['status'] === 'live');
  const strays = [...Map.groupBy(live, (row) => String(row['at']))].filter(([at, parts]) => {
    const listed = listedIn(parts);
    const isCounted = isDeepStrictEqual(byAgent(listed, 'state'), { ...statesAt(rows, at) });
    return !isCounted && answers.some((answer) => isDeepStrictEqual(answer, byAgent(listed, 'stateAsSent')));
  });
  if (strays.length > endedRuns) return rows;
  const gone = new Set(strays.flatMap(([, parts]) => parts));
  return rows.filter((row) => !gone.has(row));
};

const belongsTo = (row: Facts, account: string): boolean =>
  row['pk'] === account || String(row['pk']).startsWith(`${account}#`);

/** All that is promised of agents, for each account on its own. Answers how many events were repeated. */
const mustHoldForAgents = (played: PlayedPolling): number => {
  const { world, accounts, machines, lines, lastLines } = played;
  const spreadMs = machines.spreadMs();
  const events = firstsOf(world.events());
  mustExplainRepeats(played, world.events().length - events.length);

  for (const { userName, timeZone, agents, telephony } of accounts) {
    const rows = world.rows('agents').filter((row) => belongsTo(row, userName));
    const told = events.filter(({ detail }) => detail['account'] === userName).map(eventOf);
    expectAgentsToBe(rows, agents);
    expectTimelinesToAddUp(rows, timeZone);
    expectSnapshotsToAgree(withoutStraySnapshots(rows, telephony.asked(), endedRuns(machines)));
    expectConsistentEvents(told);
    expectEachChangePublished(told, rows);
    expectInterruptionsToEnd(told);
    mustHoldTheLimit(userName, telephony.asked(), spreadMs);
    for (const event of told) mustHaveBeenSeen(event, telephony.asked(), spreadMs);
  }
  const faults = lastLines.filter((line) => line.includes('"level":"error"'));
  assert.deepEqual(faults, [], 'once all is well, all works');
  const kept = JSON.stringify([world.rows('agents'), world.events(), lines]);
  must(!kept.includes(secretMark), () => 'Guarantee 8: a key is in a row, an event or a log');
  return world.events().length - events.length;
};

/** Runs that ended in the middle: as their process died, or took too long. */
const endedRuns = ({ cutRuns, processes }: PlayedPolling['machines']): number =>
  cutRuns() + processes.struck().filter(({ fate }) => fate.startsWith('die')).length;

const eventOf = ({ 'detail-type': type, detail }: Envelope): AgentEvent => ({ type, detail });

/** Each event as it was first told; a repeat must say the same. */
const firstsOf = (events: readonly Envelope[]): readonly Envelope[] => {
  const firsts = new Map<unknown, Envelope>();
  for (const event of events) {
    const { id } = event.detail;
    const first = firsts.get(id) ?? event;
    must(isDeepStrictEqual(first.detail, event.detail), () => `Guarantee 2: ${id} came again and said something else`);
    firsts.set(id, first);
  }
  return [...firsts.values()];
};

const mustExplainRepeats = ({ machines: { processes } }: PlayedPolling, repeats: number): void => {
  const isExplained =
    processes.started('publisher') > 1 ||
    processes.struck().some(({ slot, fate }) => slot === 'publisher' && (fate === 'lose' || fate.startsWith('die')));
  must(repeats === 0 || isExplained, () => `Guarantee 2: ${repeats} events came again, and nothing explains it`);
};

/** By the words of the specification, not by what the code takes them for. */
const allowed = { requests: 5, perMs: 60_000 };

/** Guarantee 5, as the service sees it. What clocks are wrong by is taken off the window. */
const mustHoldTheLimit = (account: string, asked: readonly ObservedRequest[], spreadMs: number): void => {
  for (const [index, { atMs }] of asked.entries()) {
    const next = asked[index + allowed.requests];
    must(
      next === undefined || next.atMs - atMs > allowed.perMs - spreadMs,
      () =>
        `Guarantee 5: ${account} was asked for ${allowed.requests + 1} times from ${new Date(atMs).toISOString()} on`,
    );
  }
};

/** An event may be dated later than what it was seen by: two things of one floor never begin in the same second. */
const datedMs = 2_000;

/** A request reaches the service while its run lasts, and is dated by the whole second in which that claimed the slot. */
const underWayMs = maxRunSeconds * 1_000 + 1_000;

/** Guarantee 6: an agent is in a state, or gone, because an answer said so then. */
const mustHaveBeenSeen = ({ type, detail }: AgentEvent, asked: readonly ObservedRequest[], spreadMs: number): void => {
  if (!/State|In$|Out/.test(type) || type.startsWith('Agent Feed')) return;
  const { agentId, occurredAt, current } = Object(detail);
  const atMs = Date.parse(occurredAt);
  const then = asked.filter(
    (each) => each.atMs >= atMs - spreadMs - datedMs && each.atMs <= atMs + spreadMs + underWayMs,
  );
  const isSeen = then.some(
    ({ states, isDoubtOver }) => isDoubtOver || (states !== undefined && states.get(agentId) === current.stateAsSent),
  );
  must(
    isSeen,
    () => `Guarantee 6: ${type} of ${agentId} at ${occurredAt} (${current.stateAsSent}), which no answer said`,
  );
};

/** Two accounts' agents, through the poller and the publisher as deployed. */
export const agents: ModelDefinition<PollingHistory> = {
  name: 'agents',
  histories: pollingHistories,
  async play(history, tell = () => undefined) {
    const played = await playPolling(history, tell);
    const { world, accounts, machines } = played;
    const struck = machines.processes.struck();
    for (const row of world.rows('agents')) tell(JSON.stringify(row));
    const repeats = mustHoldForAgents(played);
    return {
      requests: accounts.reduce((sum, { telephony }) => sum + telephony.asked().length, 0),
      events: world.events().length,
      'events repeated': repeats,
      'runs that took too long': machines.cutRuns(),
      'faults of calls': struck.length,
      'processes that died': struck.filter(({ fate }) => fate.startsWith('die')).length,
    };
  },
};
