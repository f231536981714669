import { describe, expect, it } from 'vitest';
import { Problem, problemOf } from '../../cli/problem.ts';
import { createCallfeedClient, UnreadableRow } from '../../lib/client/index.ts';
import { loggableError } from '../../lib/core/result.ts';
import { startScript } from '../support/sandbox.ts';

it('the command runs from a checkout, which need not be built', async () => {
  const { ended, output, errors } = startScript('cli/callfeed.js', ['--help']);

  expect([await ended, errors()]).toEqual([0, '']);
  expect(output()).toContain('Usage: callfeed');
});

const named = (name: string, message = 'SENTINEL', about: object = {}) =>
  Object.assign(new Error(message), { name, ...about });

const unused = {
  dynamodb: { send: () => Promise.reject(new Error('Nothing is to be read.')) },
  tables: { calls: 'calls', agents: 'agents' },
  account: 'demo',
};
const client = createCallfeedClient(unused);

describe('problemOf', () => {
  it('keeps a sentence of ours, with its exit code', () => {
    expect(problemOf(new Problem('So.', 2))).toMatchObject({ message: 'So.', exitCode: 2 });
    expect(problemOf(loggableError('The row was changed'))).toMatchObject({
      message: 'The row was changed.',
      exitCode: 1,
    });
  });

  it.each<[string, () => unknown]>([
    ['account', () => createCallfeedClient({ ...unused, account: '' })],
    ['tables.calls', () => createCallfeedClient({ ...unused, tables: { calls: '', agents: 'a' } })],
    ['agentId', () => client.agent('')],
    ['callId', () => client.call('')],
    ['number', () => client.callsOfCustomer('')],
    ['cursor', () => client.calls().pages(1, 'x')],
    ['size', () => client.calls().pages(0)],
    ['from', () => client.calls({ from: 'SENTINEL' })],
    ['to', () => client.calls({ to: 'SENTINEL' })],
    ['from, to', () => client.calls({ from: '2026-11-21T00:00:00Z', to: '2026-11-20T00:00:00Z' })],
    ['moment', () => client.floorAt('2026-11-20')],
    ['moment', () => client.floorAt('2100-01-01T00:00:00Z')],
    ['day', () => client.agentDay('asha', '2026-02-30', 'UTC')],
    ['timeZone', () => client.agentDay('asha', '2026-02-20', 'IST')],
  ])('keeps what the client says of its argument %s, which was typed wrongly', async (argument, ask) => {
    const error = await new Promise((resolve) => resolve(ask())).catch((thrown: unknown) => thrown);
    const { message, exitCode } = problemOf(error);

    expect(message).toMatch(new RegExp(`^Wrong: ${argument}: expected `));
    expect(message).not.toContain('SENTINEL');
    expect(exitCode).toBe(2);
  });

  it('keeps what the client says of a row, which repeats no value', () => {
    expect(problemOf(new UnreadableRow('AgentNow', ['state']))).toMatchObject({
      message: 'A row AgentNow is not as this version of the client declares it: state.',
      exitCode: 1,
    });
  });

  it.each<[unknown, RegExp]>([
    [new RangeError('SENTINEL: expected nothing'), /RangeError, of which nothing more is told/],
    [new Error('agentId: expected SENTINEL'), /Error, of which nothing more is told/],
    [named('Error', 'Region is missing'), /--region/],
    [named('CredentialsProviderError'), /no credentials/],
    [named('UnrecognizedClientException'), /takes no such credentials/],
    [named('QueueDoesNotExist'), /queue is not there/],
    [named('ResourceNotFoundException'), /table or secret is not there/],
    [named('Error', 'connect', { code: 'ECONNREFUSED' }), /cannot be reached/],
    [named('TimeoutError'), /in time/],
    [named('TypeError'), /TypeError, of which nothing more is told/],
    ['SENTINEL', /says nothing of itself/],
  ])('tells in a sentence what %s means, and nothing of what it may hold', (error, sentence) => {
    expect(problemOf(error).message).toMatch(sentence);
    expect(problemOf(error).message).not.toContain('SENTINEL');
    expect(problemOf(error).exitCode).toBe(1);
  });
});
