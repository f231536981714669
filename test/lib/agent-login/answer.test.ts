import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../lib/agent-login/answer.ts';

const asha = { AgentId: 'asha', AgentState: 'READY' };
const read = (answer: object) => readAnswer({ status: 200, text: JSON.stringify(answer) });

describe('an answer with an object in place of the list', () => {
  it.each([
    ['one record', asha],
    ['one record, its id in another case', { agentID: 'asha', AgentState: 'READY' }],
    ['records by some name', { a: asha }],
    ['something that holds the list', { count: 1, agents: [asha] }],
  ])('is read where that is %s', (_title, message) => {
    expect(read({ status: 'success', message })).toMatchObject({ ok: true, value: { agents: [{ agentId: 'asha' }] } });
  });

  it.each([
    ['records and something else', { a: asha, total: 1 }],
    ['objects whose ids have a longer name', { a: { SubAgentId: 'asha' } }],
    ['objects whose names begin like an id', { a: { AgentIdentity: 'asha' } }],
    ['two lists', { agents: [asha], others: [asha] }],
    ['no object that names anybody', { count: 0 }],
  ])('is no picture of the floor where that is %s', (_title, message) => {
    expect(read({ status: 'success', message })).toMatchObject({ ok: false, problem: { reason: 'unexpected-answer' } });
  });
});

describe('an answer in words', () => {
  it.each(['No Data Found', ' no data found. ', 'NO DATA FOUND.'])('is an empty floor: “%s”', (message) => {
    expect(read({ status: 'error', message })).toEqual({ ok: true, value: expect.objectContaining({ agents: [] }) });
  });

  it.each(['No.Data found', 'no data found. Try later', 'no data'])('is none: “%s”', (message) => {
    expect(read({ status: 'error', message })).toMatchObject({ ok: false });
  });
});
