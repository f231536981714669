import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TelephonyService } from '../../../../lib/agents/get-agent-logins.ts';
import {
  expectConsistentEvents,
  expectSnapshotsToAgree,
  expectTimelinesToAddUp,
  publishedEvents,
} from '../../../support/agent-history.ts';
import { crashingTable, kolkataAccount, manualClock, poller } from '../../../support/agent-polling.ts';
import { memoryAgentTable } from '../../../support/memory-agent-table.ts';
import type { ModelDefinition } from '../model.ts';
import { expectAgentsToBe, expectEachChangePublished, expectInterruptionsToEnd } from './check-agents.ts';
import {
  type AnswerKind,
  answers,
  createCentre,
  type Move,
  moves,
  slotsLater,
  trackUnidentified,
} from './contact-centre.ts';

/** Rows, kept floors, timelines and events agree with each other and with what the centre said. Answers the events' number. */
export const expectAllToAgree = async (played: Awaited<ReturnType<typeof playPorts>>): Promise<number> => {
  const { rows, changes, agents, seen, faults } = played;
  assert.deepEqual(faults, [], 'what is undisturbed works');
  expectAgentsToBe(rows, agents);
  expectTimelinesToAddUp(rows, kolkataAccount.timeZone);
  expectSnapshotsToAgree(rows);
  const events = await publishedEvents(changes);
  expectConsistentEvents(events);
  expectEachChangePublished(events, rows);
  expectInterruptionsToEnd(events);
  for (const { type, detail } of events) {
    // A poll in the second in which something else is told of the floor counts for the next one.
    const occurredAt = Date.parse(String(detail['occurredAt']));
    const asked = [occurredAt, occurredAt - 1_000].map((ms) => seen.get(new Date(ms).toISOString()));
    const floor = asked.find((answer) => answer !== undefined);
    const { stateAsSent } = Object(detail['current']);
    if (floor !== undefined && /State|In$|Out/.test(type))
      assert.equal(stateAsSent, floor.get(String(detail['agentId'])), `${type} of ${detail['occurredAt']}`);
  }
  return events.length;
};

/** Plays the polls over a table in memory, then undisturbed ones, and answers all that is left. */
export const playPorts = async ({ teamSize, writeMs, polls }: PortsHistory) => {
  const { clock, advance } = manualClock('2026-11-21T15:00:02.400Z');
  const onCall = (operation: string) => advance(operation === 'before write' ? writeMs : 0);
  const table = memoryAgentTable({ onCall });
  const centre = createCentre(teamSize);
  const isDoubtOver = trackUnidentified();
  const seen = new Map<string, ReadonlyMap<string, string>>();
  let answer: AnswerKind = 'floor';
  let meanwhile: (() => Promise<void>) | undefined;

  const service: TelephonyService = {
    async post() {
      const now = centre.answer(answer);
      const at = `${clock().toISOString().slice(0, 19)}.000Z`;
      if (!isDoubtOver(answer, Date.parse(at))) seen.set(at, centre.states());
      const happens = meanwhile;
      meanwhile = undefined;
      await happens?.();
      return now;
    },
  };
  const processes = [poller(table, service, clock), poller(table, service, clock)];

  const pollWith = async ({ diesAfter, rival }: Poll): Promise<void> => {
    const [first, second] = processes;
    const overtake = async () => {
      advance(15_000);
      await second?.poll();
    };
    // One that is late and dies as well may leave a floor that was seen, and counts for nothing else.
    meanwhile = rival === 'next-slot' && diesAfter === undefined ? overtake : undefined;
    if (diesAfter !== undefined) await poller(crashingTable(table, diesAfter), service, clock).poll();
    else await Promise.all([first, rival === 'beside' ? second : undefined].map((process) => process?.poll()));
    meanwhile = undefined;
    // Either process may be the one that knows what is not so any more.
    if (rival !== 'none') processes.reverse();
  };
  for (const each of polls) {
    advance(each.slots * 15_000);
    answer = each.answer;
    centre.move(each.moves);
    await pollWith(each);
  }
  answer = 'floor';
  const last = poller(table, service, clock);
  // A back-off takes five minutes at most, and what is pending some polls.
  for (const _again of [1, 2, 3]) {
    advance(400_000);
    await last.poll();
  }
  return { rows: table.all(), changes: table.changes(), agents: centre.agents(), seen, faults: last.telemetry.faults };
};

/** What happens before and during one poll. */
export interface Poll {
  readonly slots: number;
  readonly moves: readonly Move[];
  readonly answer: AnswerKind;
  /** After how many steps the polling process dies, if it does. */
  readonly diesAfter?: number | undefined;
  /** Whether a second process polls: at the same time, or in the next slot while the first still waits for its answer. */
  readonly rival: 'none' | 'beside' | 'next-slot';
}

/** How large a floor is, and how long a write takes. */
export interface FloorSize {
  readonly teamSize: number;
  readonly writeMs: number;
}

/** Polls of one floor. */
export interface PortsHistory extends FloorSize {
  readonly polls: readonly Poll[];
}

const poll: fc.Arbitrary<Poll> = fc.record({
  slots: slotsLater,
  moves,
  answer: answers,
  diesAfter: fc.option(fc.nat(16), { freq: 3, nil: undefined }),
  rival: fc.constantFrom('none', 'beside', 'next-slot' as const),
});

/** A floor whose changes fit into one write, and one that takes more writes than one run has time for. */
export const floorSizes = {
  small: { teamSize: 1, writeMs: 0 },
  large: { teamSize: 30, writeMs: 1_100 },
} as const satisfies Record<string, FloorSize>;

/** Histories of a floor of a size. */
export const portsHistories = (size: FloorSize, maxLength = 60): fc.Arbitrary<PortsHistory> =>
  fc.array(poll, { minLength: 1, maxLength }).map((polls) => ({ ...size, polls }));

/** The poller over a table in memory: deaths at any call, rivals, and floors that take many writes. */
export const agentsAtPorts: ModelDefinition<PortsHistory> = {
  name: 'agents-at-ports',
  histories: fc.oneof(
    { weight: 40, arbitrary: portsHistories(floorSizes.small, 20) },
    { weight: 1, arbitrary: portsHistories(floorSizes.large, 10) },
  ),
  async play(history, tell = () => undefined) {
    const played = await playPorts(history);
    for (const row of played.rows) tell(JSON.stringify(row));
    const events = await expectAllToAgree(played);
    return { polls: history.polls.length, answers: played.seen.size, events };
  },
};
