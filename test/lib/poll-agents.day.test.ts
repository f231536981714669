import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TelephonyService } from '../../lib/ports.ts';
import { fail, ok } from '../../lib/result.ts';
import {
  eventsIn,
  expectEventsToTellTheStory,
  expectFloorsToAgree,
  expectTimelinesToAddUp,
  history,
} from './support/agent-history.ts';
import { memoryAgentTable } from './support/memory-agent-table.ts';
import { mortal, movedClock, polledAccount, poller } from './support/polled-floor.ts';
import { holdsAsync } from './support/property.ts';

const teams = ['asha', 'zoe', 'omar', 'li'];
const states = ['READY', 'INCALL', 'acw', 'Idle', 'PAUSE', 'Lunch'];

/** What happens before and during one poll. */
interface Happening {
  /** Slots since the last poll: mostly the next one; now and then the poller stood still. */
  readonly slots: number;
  /** Whose records change to which: a state, another number, or gone. */
  readonly moves: readonly (readonly [team: number, to: number])[];
  readonly answer: 'floor' | 'timeout' | 'limit' | 'html' | 'nameless' | 'stateless';
  /** After how many steps the polling process dies, if it does. */
  readonly diesAfter?: number | undefined;
  /** Whether a second process polls: at the same time, or in the next slot while the first still waits for its answer. */
  readonly rival: 'none' | 'beside' | 'next-slot';
}

const happening: fc.Arbitrary<Happening> = fc.record({
  slots: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, { weight: 2, arbitrary: fc.integer({ min: 2, max: 700 }) }),
  moves: fc.array(fc.tuple(fc.nat(teams.length - 1), fc.nat(states.length + 1)), { maxLength: 3 }),
  answer: fc.oneof(
    { weight: 8, arbitrary: fc.constant('floor' as const) },
    { weight: 2, arbitrary: fc.constantFrom('timeout', 'limit', 'html', 'nameless', 'stateless' as const) },
  ),
  diesAfter: fc.option(fc.nat(16), { freq: 3, nil: undefined }),
  rival: fc.constantFrom('none', 'beside', 'next-slot' as const),
});

/** A centre whose floor changes as told, and which answers as told. Teams of agents move together. */
const centre = (teamSize: number, clock: () => Date) => {
  const floor = new Map<string, { readonly state: string; readonly number: number }>();
  let answer: Happening['answer'] = 'floor';

  const records = () =>
    [...floor].map(([AgentId, { state, number }]) => ({
      AgentId,
      AgentName: AgentId,
      AgentState: state,
      PhoneNumber: `44${number}`,
    }));
  const spoilt = () => {
    const [first, ...others] = records();
    const missing = answer === 'nameless' ? 'AgentId' : 'AgentState';
    return first === undefined ? [] : [{ ...first, ...(answer !== 'floor' && { [missing]: '' }) }, ...others];
  };
  const answered = (): Awaited<ReturnType<TelephonyService['post']>> => {
    if (answer === 'timeout') return fail({ reason: 'timeout' });
    if (answer === 'limit') return ok({ status: 200, text: '{"status":"error","message":"Max limit exceeded"}' });
    if (answer === 'html') return ok({ status: 200, text: '<html></html>' });
    return ok({ status: 200, text: JSON.stringify({ status: 'success', message: spoilt() }) });
  };
  let meanwhile: (() => Promise<void>) | undefined;
  let namelessSince: number | undefined;
  const seen = new Map<string, ReadonlyMap<string, string>>();
  const service: TelephonyService = {
    async post() {
      const now = answered();
      const at = `${clock().toISOString().slice(0, 19)}.000Z`;
      // Once every answer of five minutes had a record without an id, one who is there may be logged out by another such.
      if (answer === 'nameless') namelessSince ??= Date.parse(at);
      const isDoubtOver = answer === 'nameless' && Date.parse(at) - (namelessSince ?? 0) > 295_000;
      if (!isDoubtOver) seen.set(at, new Map(records().map(({ AgentId, AgentState }) => [AgentId, AgentState])));
      const happens = meanwhile;
      meanwhile = undefined;
      await happens?.();
      return now;
    },
  };
  const move = (agentId: string, to: number) => {
    const before = floor.get(agentId) ?? { state: 'READY', number: 0 };
    const state = states[to];
    if (state !== undefined) floor.set(agentId, { ...before, state });
    else if (to === states.length) floor.set(agentId, { ...before, number: before.number + 1 });
    else floor.delete(agentId);
  };
  return {
    service,
    records,
    /** What each agent was sent as whenever the centre was asked. */
    seen,
    /** Lets something happen while the next answer is under way. */
    whileAsked(happens: () => Promise<void>) {
      meanwhile = happens;
    },
    answerWith(next: Happening['answer']) {
      answer = next;
    },
    moveTeam(team: number, to: number) {
      for (let index = 0; index < teamSize; index++) move(`${teams[team]}-${index}`, to);
    },
  };
};

/** Plays happenings, then an undisturbed poll, and answers all that is left. */
const played = async (happenings: readonly Happening[], teamSize: number, writeMs: number) => {
  const { clock, advance } = movedClock('2026-11-21T15:00:02.400Z');
  const onCall = (operation: string) => advance(operation === 'before write' ? writeMs : 0);
  const table = memoryAgentTable({ onCall });
  const { service, seen, records, whileAsked, answerWith, moveTeam } = centre(teamSize, clock);
  const processes = [poller(table, service, clock), poller(table, service, clock)];

  const pollWith = async ({ diesAfter, rival }: Happening): Promise<void> => {
    const [first, second] = processes;
    const overtake = async () => {
      advance(15_000);
      await second?.poll();
    };
    // One that is late and dies as well may leave a floor that was seen, and counts for nothing else.
    if (rival === 'next-slot' && diesAfter === undefined) whileAsked(overtake);
    if (diesAfter !== undefined) await poller(mortal(table, diesAfter), service, clock).poll();
    else await Promise.all([first, rival === 'beside' ? second : undefined].map((process) => process?.poll()));
    whileAsked(async () => undefined);
    // Either process may be the one that knows what is not so any more.
    if (rival !== 'none') processes.reverse();
  };
  for (const happening of happenings) {
    advance(happening.slots * 15_000);
    answerWith(happening.answer);
    for (const [team, to] of happening.moves) moveTeam(team, to);
    await pollWith(happening);
  }
  answerWith('floor');
  const last = poller(table, service, clock);
  // A back-off takes five minutes at most, and what is pending some polls.
  for (const _again of [1, 2, 3]) {
    advance(400_000);
    await last.poll();
  }
  return { rows: table.all(), changes: table.changes(), records: records(), seen, faults: last.telemetry.faults };
};

const expectAllToAgree = async ({ rows, changes, records, seen, faults }: Awaited<ReturnType<typeof played>>) => {
  const { feed, agents } = history(rows);
  const sent = new Map(records.map(({ AgentId, AgentState }) => [AgentId, AgentState]));

  expect(faults).toEqual([]);
  expect(agents.map(({ agentId }) => agentId).sort()).toEqual([...sent.keys()].sort());
  expect(agents.filter(({ agentId, stateAsSent }) => sent.get(String(agentId)) !== stateAsSent)).toEqual([]);
  expect(feed).toMatchObject({ status: 'live', agentCount: records.length });
  expectTimelinesToAddUp(rows, polledAccount.timeZone);
  expectFloorsToAgree(rows);
  await expectEventsToTellTheStory(changes);
  for (const { type, detail } of await eventsIn(changes)) {
    // A poll in the second in which something else is told of the floor counts for the next one.
    const occurredAt = Date.parse(String(detail['occurredAt']));
    const asked = [occurredAt, occurredAt - 1_000].map((ms) => seen.get(new Date(ms).toISOString()));
    const floor = asked.find((answer) => answer !== undefined);
    const { stateAsSent } = Object(detail['current']);
    if (floor !== undefined && /State|In$|Out/.test(type))
      expect([type, detail['occurredAt'], stateAsSent]).toEqual([
        type,
        detail['occurredAt'],
        floor.get(String(detail['agentId'])),
      ]);
  }
};

describe('pollAgents, over days of changes, failures, deaths and rivals', () => {
  it.each([
    { teamSize: 1, writeMs: 0, runs: 150, what: 'whose changes fit into one write' },
    { teamSize: 30, writeMs: 1_100, runs: 12, what: 'that takes many writes, more than one run has time for' },
  ])('leaves timelines that add up, floors that agree, and each change told once: a floor $what', async (size) => {
    const { teamSize, writeMs, runs } = size;
    await holdsAsync(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 60 }), async (happenings) => {
        await expectAllToAgree(await played(happenings, teamSize, writeMs));
      }),
      runs * Number(process.env['FC_TIMES'] ?? 1),
    );
  });
});
