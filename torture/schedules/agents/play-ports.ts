import type { TelephonyService } from '../../../lib/ports.ts';
import { memoryAgentTable } from '../../../test/lib/support/memory-agent-table.ts';
import { mortal, movedClock, poller } from '../../../test/lib/support/polled-floor.ts';
import { createCentre } from './centre.ts';
import { createDoubt } from './doubt.ts';
import type { AnswerKind } from './happening.ts';
import type { Poll, PortsHistory } from './ports-history.ts';

/** Plays the polls over a table in memory, then undisturbed ones, and answers all that is left. */
export const playPorts = async ({ teamSize, writeMs, polls }: PortsHistory) => {
  const { clock, advance } = movedClock('2026-11-21T15:00:02.400Z');
  const onCall = (operation: string) => advance(operation === 'before write' ? writeMs : 0);
  const table = memoryAgentTable({ onCall });
  const centre = createCentre(teamSize);
  const isDoubtOver = createDoubt();
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
    if (diesAfter !== undefined) await poller(mortal(table, diesAfter), service, clock).poll();
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
