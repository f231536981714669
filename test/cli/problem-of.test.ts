import { describe, expect, it } from 'vitest';
import { Problem } from '../../cli/problem.ts';
import { problemOf } from '../../cli/problem-of.ts';
import { UnreadableRow } from '../../client/index.ts';
import { tellable } from '../../lib/tellable.ts';

const named = (name: string, message = 'SENTINEL', about: object = {}) =>
  Object.assign(new Error(message), { name, ...about });

describe('problemOf', () => {
  it('keeps a sentence of ours, with its exit code', () => {
    expect(problemOf(new Problem('So.', 2))).toMatchObject({ message: 'So.', exitCode: 2 });
    expect(problemOf(tellable('The row was changed'))).toMatchObject({ message: 'The row was changed.', exitCode: 1 });
  });

  it('keeps what the client says of an argument or a row, which repeats no value', () => {
    expect(problemOf(new RangeError('cursor: expected the `next` of a page, as it was.'))).toMatchObject({
      message: 'Wrong: cursor: expected the `next` of a page, as it was.',
      exitCode: 2,
    });
    expect(problemOf(new UnreadableRow('AgentNow', ['state']))).toMatchObject({
      message: 'A row AgentNow is not as this version of the client declares it: state.',
      exitCode: 1,
    });
  });

  it.each<[unknown, RegExp]>([
    [new RangeError('SENTINEL: expected nothing'), /RangeError, of which nothing more is told/],
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
