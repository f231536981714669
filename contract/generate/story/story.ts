import { readFile } from 'node:fs/promises';
import { toldAgents } from './told-agents.ts';
import { toldCalls } from './told-calls.ts';

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

/** Before the call that the posts tell of, in it, and after it; then the service falls silent, and speaks again. */
const answers = [
  [asha, ravi],
  [{ ...asha, AgentState: 'INCALL' }, ravi],
  [{ ...asha, AgentState: 'INCALL', SkillName: 'General' }, ravi],
  [{ ...asha, AgentState: 'INCALL', SkillName: 'General' }],
  'silence',
  'silence',
  'silence',
  [{ ...asha, SkillName: 'General' }],
] as const;

const posted = async (file: string, receivedAt: string) => ({
  text: await readFile(new URL(`../../../sandbox/examples/${file}`, import.meta.url), 'utf8'),
  receivedAt,
});

/** The examples of the contract: what becomes of the sandbox's example posts and of a minute and a half of polls. */
export const story = async () => ({
  calls: toldCalls([
    await posted('call-summary.json', '2026-11-20T05:34:12.480Z'),
    await posted('with-disposition.json', '2026-11-20T05:36:40.015Z'),
    await posted('advanced-callback.json', '2026-11-20T05:46:33.208Z'),
    await posted('missed-call.json', '2026-11-20T05:50:43.377Z'),
  ]),
  agents: await toldAgents('2026-11-20T05:29:45.300Z', answers),
});

/** What happens in the story. */
export type Story = Awaited<ReturnType<typeof story>>;
