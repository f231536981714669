import { expect, it } from 'vitest';
import { parseAgentLogins } from '../../../lib/agents/get-agent-logins.ts';
import type { AgentFacts } from '../../../lib/agents/schema.ts';
import type { ServiceResponse } from '../../../lib/service/service.ts';
import { type AnswerKind, answerKinds, answerQuirks } from '../../../sandbox/simulator/answers.ts';

const rows = [
  { AgentId: 'asha', AgentName: 'Asha', PhoneNumber: '1', AgentState: 'READY', SkillName: 'Sales, Support' },
  { AgentId: 'ravi', AgentName: 'Ravi', PhoneNumber: '2', AgentState: 'ACW', SkillName: '' },
];
const all = ['asha ready Sales Support', 'ravi acw'];

/** The agents that the poller reads from an answer, or the reason why it reads none. */
const expected: Readonly<Record<AnswerKind, string | readonly string[]>> = {
  'rate-limit-text': 'rate-limited',
  'rate-limit-other-text': 'rate-limited',
  'unknown-error-text': 'unknown-error',
  'invalid-text': 'unauthorised',
  '401-status-false': 'unauthorised',
  '429': 'rate-limited',
  '405-no-json': 'http-error',
  '500': 'http-error',
  html: 'not-json',
  'truncated-json': 'not-json',
  'message-object': all,
  'message-by-index': all,
  'message-success-details': all,
  'no-data-found': [],
  'empty-list': [],
  'malformed-record': all,
  'duplicate-agent': ['asha acw Sales Support', 'ravi acw'],
  'odd-case': all,
  'undocumented-fields': all,
  'unknown-state': ['asha unknown Sales Support', 'ravi acw'],
  // It names where to go instead. An HTTP client sees that before anything reads the answer.
  redirect: 'unexpected-answer',
  // More than an HTTP client takes.
  huge: 'too large',
  // Slow by its name alone: the service waits before it sends this.
  slow: all,
};

const shown = ({ agentId, state, skills = [] }: AgentFacts): string => [agentId, state, ...skills].join(' ');

const readIn = (answer: ServiceResponse): string | readonly string[] => {
  const read = parseAgentLogins(answer);
  return read.ok ? read.value.agents.map(shown) : read.problem.reason;
};

it.each(answerKinds)('the answer %s is read as documented', (kind) => {
  const answer = answerQuirks[kind](rows, 'http://elsewhere.invalid/');
  const { status, headers, body = '' } = answer;
  const text = String(body);

  expect(text.length > 16 * 1024 * 1024 ? 'too large' : readIn({ status, text })).toEqual(expected[kind]);
  expect(headers?.['location']).toBe(kind === 'redirect' ? 'http://elsewhere.invalid/' : undefined);
});
