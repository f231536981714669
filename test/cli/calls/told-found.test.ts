import { describe, expect, it } from 'vitest';
import { AskedCalls } from '../../../cli/calls/asked-calls.ts';
import { toldFound } from '../../../cli/calls/told-found.ts';

const none = { found: 0, read: 0, next: undefined };
const told = (asked: object, found: Partial<Parameters<typeof toldFound>[0]> = {}) =>
  toldFound({ ...none, ...found }, AskedCalls.parse({ stack: 's', ...asked }));

describe('below a list of calls', () => {
  it.each<[string, object, object, string]>([
    ['how many there are', {}, { found: 3, read: 3 }, '3 listed.'],
    ['of how many that were read', { status: 'answered' }, { found: 3, read: 9 }, '3 listed of 9 read.'],
    ['where the rest is', {}, { found: 1, read: 1, next: 'x' }, '1 listed. More with the same options and --cursor x'],
    ['nothing more where no name was typed', {}, {}, '0 listed.'],
    ['nothing more where some were read', { account: 'a', type: 'chat' }, { read: 9 }, '0 listed of 9 read.'],
    ['nothing more behind a cursor', { account: 'a', cursor: 'x' }, {}, '0 listed.'],
  ])('is said %s', (_title, asked, found, line) => {
    expect(told(asked, found)).toBe(line);
  });

  it.each([
    [{ account: 'a' }, /^0 listed\. If there should be some: is the account spelt as in the secret\?$/],
    [{ agent: 'a', day: 'today' }, /: is the agent the login id/],
    [{ account: 'a', customer: '1', status: 'answered' }, /^0 listed of 0 read\. .*the account.*, and is the number/],
  ])('is asked about the names that were typed, if nothing is there: %o', (asked, line) => {
    expect(told(asked)).toMatch(line);
  });
});
