import { readFile } from 'node:fs/promises';
import { eventSource } from '../../lib/contract/call-events.ts';
import type { EventType } from '../../lib/contract/events.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { contentHash } from '../../lib/core/encoding.ts';
import type { BusEvent } from '../../lib/publish/events-of-change.ts';
import { eventGuides } from './guides.ts';
import { simulatePolls, simulatePosts, simulateRecordings } from './simulate.ts';

/** An event as EventBridge delivers it, in a made-up AWS account. */
const asDelivered = ({ type, detail }: BusEvent) => ({
  version: '0',
  id: contentHash(detail.id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  'detail-type': type,
  source: eventSource,
  account: '111122223333',
  time: `${detail.recordedAt.slice(0, 19)}Z`,
  region: 'ap-south-1',
  resources: [],
  detail,
});

/** An event as delivered. */
export type Delivered = ReturnType<typeof asDelivered>;

export interface Examples {
  /** The first event of each type in the scenario. */
  readonly byType: Readonly<Record<EventType, Delivered>>;
  /** A missed call. */
  readonly missed: Delivered;
}

/** Picks the examples from a scenario. Throws if one is missing. */
export const examples = ({ calls, agents }: Scenario): Examples => {
  const events = [...calls.events, ...agents.events].map(asDelivered);
  const first = (matches: (event: Delivered) => boolean): Delivered => {
    const found = events.find(matches);
    if (found === undefined) throw new Error('The scenario lacks an example');
    return found;
  };
  return {
    byType: mapValues(eventGuides, (_guide, type) => first((event) => event['detail-type'] === type)),
    missed: first(({ detail }) => JSON.stringify(detail['call'])?.includes('"status":"not-answered"') ?? false),
  };
};

const asha = {
  AgentId: 'asha',
  AgentName: 'Asha Rao',
  PhoneNumber: '09000000001',
  AgentState: 'READY',
  SkillName: 'General, Support',
};
const ravi = {
  AgentId: 'ravi',
  AgentName: 'Ravi Iyer',
  PhoneNumber: '09000000002',
  AgentState: 'Idle',
  SkillName: 'Support',
};

/** Polls before, in and after the call of the posts. Then the service does not answer, and answers again. */
const pollAnswers = [
  [asha, ravi],
  [{ ...asha, AgentState: 'INCALL' }, ravi],
  [{ ...asha, AgentState: 'INCALL', SkillName: 'General' }, ravi],
  [{ ...asha, AgentState: 'INCALL', SkillName: 'General' }],
  'no-answer',
  'no-answer',
  'no-answer',
  [{ ...asha, SkillName: 'General' }],
] as const;

const examplePost = async (file: string, receivedAt: string) => ({
  text: await readFile(new URL(`../../sandbox/examples/${file}`, import.meta.url), 'utf8'),
  receivedAt,
});

/** A call of the same day, whose callback came hours late. */
const latePost = async () => {
  const { text, receivedAt } = await examplePost('call-summary.json', '2026-11-20T14:14:05.120Z');
  return { text: text.replaceAll('12345678901234567890', '12345678901234567999'), receivedAt };
};

/** The results of the sandbox's example posts, whose recordings are archived, and of two minutes of polls. */
export const scenario = async () => {
  const calls = simulatePosts([
    await examplePost('call-summary.json', '2026-11-20T05:34:12.480Z'),
    await examplePost('with-disposition.json', '2026-11-20T05:36:40.015Z'),
    await examplePost('advanced-callback.json', '2026-11-20T05:46:33.208Z'),
    await examplePost('missed-call.json', '2026-11-20T05:50:43.377Z'),
    await latePost(),
  ]);
  const recordings = simulateRecordings(calls.rows, '2026-11-20T05:34:13.020Z');
  return {
    calls: { rows: [...calls.rows, ...recordings.rows], events: [...calls.events, ...recordings.events] },
    agents: await simulatePolls('2026-11-20T05:29:45.300Z', pollAnswers),
  };
};

export type Scenario = Awaited<ReturnType<typeof scenario>>;
