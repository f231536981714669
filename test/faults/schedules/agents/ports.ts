import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TelephonyService } from '../../../../lib/telephony/service/service.ts';
import {
  expectConsistentEvents,
  expectSnapshotsToAgree,
  expectTimelinesToAddUp,
  publishedEvents,
} from '../../../support/agent-history.ts';
import { crashingTable, kolkataAccount, manualClock, poller } from '../../../support/agent-polling.ts';
import { memoryAgentTable } from '../../../support/memory-agent-table.ts';
import { weighted } from '../../../support/property.ts';
import type { ModelDefinition } from '../../models/model.ts';
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

/** Rows, snapshots, timelines and events agree with each other and with the contact centre. Returns the number of events. */
export const expectAllToAgree = async (played: Awaited<ReturnType<typeof playPorts>>): Promise<number> => {
  const { rows, changes, agents, seen, faults } = played;
  assert.deepEqual(faults, [], 'errors were reported after the last fault');
  expectAgentsToBe(rows, agents);
  expectTimelinesToAddUp(rows, kolkataAccount.timeZone);
  expectSnapshotsToAgree(rows);
  const events = await publishedEvents(changes);
  expectConsistentEvents(events);
  expectEachChangePublished(events, rows);
  expectInterruptionsToEnd(events);
  for (const { type, detail } of events) {
    // A poll in the same second as the previous snapshot is dated one second later.
    const occurredAt = Date.parse(String(detail['occurredAt']));
    const answered = [occurredAt, occurredAt - 1_000].map((ms) => seen.get(new Date(ms).toISOString()));
    const states = answered.find((answer) => answer !== undefined);
    const { stateAsSent } = Object(detail['current']);
    if (states !== undefined && /State|In$|Out/.test(type))
      assert.equal(stateAsSent, states.get(String(detail['agentId'])), `${type} of ${detail['occurredAt']}`);
  }
  return events.length;
};

/** Plays the polls over a table in memory, then some without faults, and returns the final state. */
export const playPorts = async ({ teamSize, writeMs, polls }: PortsHistory) => {
  const { clock, advance } = manualClock('2026-11-21T15:00:02.400Z');
  const onCall = (operation: string) => advance(operation === 'before write' ? writeMs : 0);
  const table = memoryAgentTable({ onCall });
  const centre = createCentre(teamSize);
  const isUnidentifiedExpired = trackUnidentified();
  const seen = new Map<string, ReadonlyMap<string, string>>();
  let answer: AnswerKind = 'agents';
  let meanwhile: (() => Promise<void>) | undefined;

  const service: TelephonyService = {
    async post() {
      const now = centre.answer(answer);
      const at = `${clock().toISOString().slice(0, 19)}.000Z`;
      if (!isUnidentifiedExpired(answer, Date.parse(at))) seen.set(at, centre.states());
      const happens = meanwhile;
      meanwhile = undefined;
      await happens?.();
      return now;
    },
  };
  const processes = [poller(table, service, clock), poller(table, service, clock)];

  const pollWith = async ({ crashesAfter, concurrent }: Poll): Promise<void> => {
    const [first, second] = processes;
    const pollNextSlot = async () => {
      advance(15_000);
      await second?.poll();
    };
    // A late process that also crashes may leave a stray snapshot, so the two are not combined.
    meanwhile = concurrent === 'next-slot' && crashesAfter === undefined ? pollNextSlot : undefined;
    if (crashesAfter !== undefined) await poller(crashingTable(table, crashesAfter), service, clock).poll();
    else await Promise.all([first, concurrent === 'beside' ? second : undefined].map((process) => process?.poll()));
    meanwhile = undefined;
    // Either process may be the one with an outdated memory.
    if (concurrent !== 'none') processes.reverse();
  };
  for (const each of polls) {
    advance(each.slots * 15_000);
    answer = each.answer;
    centre.move(each.moves);
    await pollWith(each);
  }
  answer = 'agents';
  const last = poller(table, service, clock);
  // The longest back-off is five minutes, and pending work takes some polls.
  for (const _again of [1, 2, 3]) {
    advance(400_000);
    await last.poll();
  }
  return { rows: table.all(), changes: table.changes(), agents: centre.agents(), seen, faults: last.telemetry.faults };
};

export interface Poll {
  readonly slots: number;
  readonly moves: readonly Move[];
  readonly answer: AnswerKind;
  /** The number of calls after which the polling process crashes, if it does. */
  readonly crashesAfter?: number | undefined;
  /** Whether a second process polls: at the same time, or in the next slot while the first still waits for its answer. */
  readonly concurrent: 'none' | 'beside' | 'next-slot';
}

export interface FloorSize {
  readonly teamSize: number;
  readonly writeMs: number;
}

export interface PortsHistory extends FloorSize {
  readonly polls: readonly Poll[];
}

const poll: fc.Arbitrary<Poll> = fc.record({
  slots: slotsLater,
  moves,
  answer: answers,
  crashesAfter: fc.option(fc.nat(16), { freq: 3, nil: undefined }),
  concurrent: fc.constantFrom('none', 'beside', 'next-slot' as const),
});

/** Changes that fit into one write, and changes that need more writes than one run has time for. */
export const floorSizes = {
  small: { teamSize: 1, writeMs: 0 },
  large: { teamSize: 30, writeMs: 1_100 },
} as const satisfies Record<string, FloorSize>;

export const portsHistories = (size: FloorSize, maxLength = 60): fc.Arbitrary<PortsHistory> =>
  fc.array(poll, { minLength: 1, maxLength }).map((polls) => ({ ...size, polls }));

/** The poller over a table in memory: crashes at any call, concurrent pollers, and snapshots that need many writes. */
export const agentsAtPorts: ModelDefinition<PortsHistory> = {
  name: 'agents-at-ports',
  histories: weighted([40, portsHistories(floorSizes.small, 20)], [1, portsHistories(floorSizes.large, 10)]),
  async play(history, log = () => undefined) {
    const played = await playPorts(history);
    for (const row of played.rows) log(JSON.stringify(row));
    const events = await expectAllToAgree(played);
    return { polls: history.polls.length, answers: played.seen.size, events };
  },
};
