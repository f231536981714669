import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { it } from 'vitest';
import { maxRunSeconds } from '../../../../lib/service/service.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import type { DeliveredEvent } from '../../../../sandbox/aws/event-bus.ts';
import { type AgentEvent, agentGuarantees, statesAt } from '../../guarantees.ts';
import { isFull, log, must, mustHappen, regressionsIn, show, tryCases } from '../../property.ts';
import { mustExplainRepeats, secretMark } from '../processes.ts';
import { type ObservedRequest, type PollingHistory, pollingHistories } from './contact-centre.ts';
import { type PlayedPolling, playPolling } from './play-polling.ts';

interface Listed {
  readonly agentId: string;
  readonly state: string;
  readonly stateAsSent: string;
}

const listedIn = (parts: readonly Row[]): readonly Listed[] =>
  parts.flatMap(({ agents }) => (Array.isArray(agents) ? agents : []));

const byAgent = (listed: readonly Listed[], field: 'state' | 'stateAsSent') =>
  Object.fromEntries(listed.map((agent): [string, string] => [agent.agentId, agent[field]]).sort());

/**
 * The rows without stray snapshots: a run that met a conflict and was aborted before it could delete its snapshot leaves
 * one, by the README’s limits. It equals an answer and differs from the timelines. There is at most one for each such run.
 */
const withoutStraySnapshots = (
  rows: readonly Row[],
  requests: readonly ObservedRequest[],
  abortedRuns: number,
): readonly Row[] => {
  const answers = requests.flatMap(({ states }) =>
    states === undefined ? [] : [Object.fromEntries([...states].sort())],
  );
  const live = rows.filter((row) => row['kind'] === 'floor' && row['status'] === 'live');
  const strays = [...Map.groupBy(live, (row) => String(row['at']))].filter(([at, parts]) => {
    const listed = listedIn(parts);
    const isCounted = isDeepStrictEqual(byAgent(listed, 'state'), { ...statesAt(rows, at) });
    return !isCounted && answers.some((answer) => isDeepStrictEqual(answer, byAgent(listed, 'stateAsSent')));
  });
  if (strays.length > abortedRuns) return rows;
  const gone = new Set(strays.flatMap(([, parts]) => parts));
  return rows.filter((row) => !gone.has(row));
};

const belongsTo = (row: Row, account: string): boolean =>
  row['pk'] === account || String(row['pk']).startsWith(`${account}#`);

/** Everything that is promised of agents, for each account separately. Returns the number of repeated events. */
const mustHoldForAgents = (played: PlayedPolling): number => {
  const { world, accounts, machines, lines, lastLines } = played;
  const spreadMs = machines.spreadMs();
  const events = firstsOf(world.events());
  mustExplainRepeats(machines.processes, 'publisher', world.events().length - events.length);

  for (const { userName, timeZone, agents, telephony } of accounts) {
    const rows = world.rows('agents').filter((row) => belongsTo(row, userName));
    const published = events.filter(({ detail }) => detail['account'] === userName).map(eventOf);
    const withoutStrays = withoutStraySnapshots(rows, telephony.requests(), abortedRuns(machines));
    const final = { rows, withoutStrays, events: published, timeZone, expected: agents };
    for (const holds of agentGuarantees(final)) holds();
    mustKeepTheLimit(userName, telephony.requests(), spreadMs);
    for (const event of published) mustHaveBeenSeen(event, telephony.requests(), spreadMs);
  }
  const faults = lastLines.filter((line) => line.includes('"level":"error"'));
  assert.deepEqual(faults, [], 'errors were logged after the last fault');
  const stored = JSON.stringify([world.rows('agents'), world.events(), lines]);
  must(!stored.includes(secretMark), () => 'Guarantee 8: a key is in a row, an event or a log');
  return world.events().length - events.length;
};

/** Runs that were aborted: their process crashed, or they took too long. */
const abortedRuns = ({ overlongRuns, processes }: PlayedPolling['machines']): number =>
  overlongRuns() + processes.injected().filter(({ fault }) => fault.startsWith('crash')).length;

const eventOf = ({ 'detail-type': type, detail }: DeliveredEvent): AgentEvent => ({ type, detail });

/** Each event once; a repeat must be identical. */
const firstsOf = (events: readonly DeliveredEvent[]): readonly DeliveredEvent[] => {
  const firsts = new Map<unknown, DeliveredEvent>();
  for (const event of events) {
    const { id } = event.detail;
    const first = firsts.get(id) ?? event;
    must(isDeepStrictEqual(first.detail, event.detail), () => `Guarantee 2: ${id} was repeated with other content`);
    firsts.set(id, first);
  }
  return [...firsts.values()];
};

/** The limit of the specification, not of the code. */
const allowed = { requests: 5, perMs: 60_000 };

/** Guarantee 5, as the service sees it. The window is shortened by the errors of clocks. */
const mustKeepTheLimit = (account: string, requests: readonly ObservedRequest[], spreadMs: number): void => {
  for (const [index, { atMs }] of requests.entries()) {
    const next = requests[index + allowed.requests];
    must(
      next === undefined || next.atMs - atMs > allowed.perMs - spreadMs,
      () =>
        `Guarantee 5: ${account} got ${allowed.requests + 1} requests in a minute from ${new Date(atMs).toISOString()} on`,
    );
  }
};

/** An event may be dated later than its poll: two snapshots never begin in the same second. */
const datedMs = 2_000;

/** A request reaches the service during its run, which is dated by the whole second in which it acquired its slot. */
const underWayMs = maxRunSeconds * 1_000 + 1_000;

/** Guarantee 6: an agent is in a state or logged out because an answer of that time says so. */
const mustHaveBeenSeen = (
  { type, detail }: AgentEvent,
  requests: readonly ObservedRequest[],
  spreadMs: number,
): void => {
  if (!/State|In$|Out/.test(type) || type.startsWith('Agent Feed')) return;
  const { agentId, occurredAt, current } = Object(detail);
  const atMs = Date.parse(occurredAt);
  const then = requests.filter(
    (each) => each.atMs >= atMs - spreadMs - datedMs && each.atMs <= atMs + spreadMs + underWayMs,
  );
  const isSeen = then.some(
    ({ states, isUnidentifiedExpired }) =>
      isUnidentifiedExpired || (states !== undefined && states.get(agentId) === current.stateAsSent),
  );
  must(
    isSeen,
    () => `Guarantee 6: ${type} of ${agentId} at ${occurredAt} (${current.stateAsSent}), which no answer said`,
  );
};

/** The agents of two accounts, through the poller and the publisher as deployed. */
const keepsAgents = async (history: PollingHistory) => {
  const state = await playPolling(history);
  const { world, accounts, machines } = state;
  const injected = machines.processes.injected();
  for (const row of world.rows('agents')) log(() => JSON.stringify(row));
  const repeats = mustHoldForAgents(state);
  return {
    requests: accounts.reduce((sum, { telephony }) => sum + telephony.requests().length, 0),
    events: world.events().length,
    'events repeated': repeats,
    'runs that took too long': machines.overlongRuns(),
    'faults injected': injected.length,
    'processes that crashed': injected.filter(({ fault }) => fault.startsWith('crash')).length,
  };
};

it.each(regressionsIn<PollingHistory>('agents'))('$name breaks no guarantee any more', async ({ history }) => {
  await keepsAgents(history);
});

it('no random history of agents breaks a guarantee', async () => {
  const counters = await tryCases(pollingHistories, isFull ? 10_000 : 80, keepsAgents);
  show('histories of agents', counters);
  mustHappen(counters, 'events', 'processes that crashed');
});
