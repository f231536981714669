import { readFileSync } from 'node:fs';
import { type EventType, isEventType } from '../../lib/contract/events.ts';
import { contentHash } from '../../lib/core/encoding.ts';
import { ok } from '../../lib/core/result.ts';
import { eventSource } from '../../lib/storage/event.ts';
import { deployment, noAnswer, success } from '../../test/deployment/index.ts';
import { polledAccount } from '../../test/fixtures/accounts.ts';

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
const inCall = { ...asha, AgentState: 'INCALL' };

/** Polls before, in and after the call of the posts. Then the service does not answer, and answers again. */
const answers = [
  [asha, ravi],
  [inCall, ravi],
  [{ ...inCall, SkillName: 'General' }, ravi],
  [{ ...inCall, SkillName: 'General' }],
  'no-answer',
  'no-answer',
  'no-answer',
  [{ ...asha, SkillName: 'General' }],
] as const;

const posted = (file: string): string => readFileSync(`sandbox/examples/${file}`, 'utf8');

/** The sandbox's example posts by the time of their receipt. The last is of the same day, and came hours late. */
const posts = [
  ['05:34:12.480', posted('call-summary.json')],
  ['05:36:40.015', posted('with-disposition.json')],
  ['05:46:33.208', posted('advanced-callback.json')],
  ['05:50:43.377', posted('missed-call.json')],
  ['14:14:05.120', posted('call-summary.json').replaceAll('12345678901234567890', '12345678901234567999')],
] as const;

/** What the deployed functions make of the example posts, whose recordings are archived, and of two minutes of polls. */
export const scenario = async () => {
  const d = await deployment({
    accounts: [{ ...polledAccount, apiKeys: ['demo-key'] }],
    startedAt: '2026-11-20T05:29:45.300Z',
    recordingHost: () => ok('a recording'),
  });
  for (const answer of answers) {
    d.service.answers({ logins: [answer === 'no-answer' ? noAnswer('connection') : success(answer)] });
    await d.poll();
  }
  for (const [at, data] of posts) {
    d.advance(`2026-11-20T${at}Z`);
    await d.post(data);
    await d.settled();
    await d.archive();
  }
  await d.settled();
  return { calls: await d.rows('calls'), agents: await d.rows('agents'), events: d.published() };
};

/** An event as EventBridge delivers it, in a made-up AWS account. Ids and instants are the same each time. */
const asDelivered = ({ type, detail }: Awaited<ReturnType<typeof scenario>>['events'][number]) => ({
  version: '0',
  id: contentHash(detail['id']).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  'detail-type': type,
  source: eventSource,
  account: '111122223333',
  time: `${String(detail['recordedAt']).slice(0, 19)}Z`,
  region: 'ap-south-1',
  resources: [],
  detail,
});

export type Delivered = ReturnType<typeof asDelivered>;

/** The first event of each type in what the deployed functions published, and that of a missed call. */
export const exampleEvents = async () => {
  const events = (await scenario()).events.map(asDelivered);
  const byType = new Map<EventType, Delivered>();
  for (const event of events.toReversed())
    if (isEventType(event['detail-type'])) byType.set(event['detail-type'], event);
  return { byType, missed: events.find(({ detail }) => JSON.stringify(detail).includes('"status":"not-answered"')) };
};
