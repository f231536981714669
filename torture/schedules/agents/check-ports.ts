import assert from 'node:assert/strict';
import {
  eventsIn,
  expectFloorsToAgree,
  expectOneStory,
  expectTimelinesToAddUp,
} from '../../../test/lib/support/agent-history.ts';
import { polledAccount } from '../../../test/lib/support/polled-floor.ts';
import { expectEachChangeToBeTold, expectInterruptionsToEnd } from './check-told.ts';
import { expectFloorToBe } from './expect-floor.ts';
import type { playPorts } from './play-ports.ts';

/** Rows, kept floors, timelines and events agree with each other and with what the centre said. Answers the events' number. */
export const expectAllToAgree = async (played: Awaited<ReturnType<typeof playPorts>>): Promise<number> => {
  const { rows, changes, agents, seen, faults } = played;
  assert.deepEqual(faults, [], 'what is undisturbed works');
  expectFloorToBe(rows, agents);
  expectTimelinesToAddUp(rows, polledAccount.timeZone);
  expectFloorsToAgree(rows);
  const events = await eventsIn(changes);
  expectOneStory(events);
  expectEachChangeToBeTold(events, rows);
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
