import { readFileSync } from 'node:fs';
import { ok } from '../../../../lib/core/result.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import { deployment, noAnswer, success } from '../../../deployment/index.ts';
import { polledAccount } from '../../../fixtures/accounts.ts';
import type { Plain } from './event-bridge.ts';

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
export const scenario = async (): Promise<{
  readonly calls: readonly Row[];
  readonly agents: readonly Row[];
  readonly events: readonly { readonly type: unknown; readonly detail: Plain }[];
}> => {
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
