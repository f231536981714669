import { describe, expect, it } from 'vitest';
import { Problem, problemOf } from '../../cli/problem.ts';
import { createCallfeedClient, UnreadableRow } from '../../lib/client/index.ts';
import { loggableError } from '../../lib/core/result.ts';

const named = (name: string, message = 'SENTINEL', about: object = {}) =>
  Object.assign(new Error(message), { name, ...about });

const unused = {
  dynamodb: { send: () => Promise.reject(new Error('Nothing must be read.')) },
  tables: { calls: 'calls', agents: 'agents' },
  account: 'demo',
};
const client = createCallfeedClient(unused);

describe('problemOf', () => {
  it('shows our own messages, with their exit code', () => {
    expect(problemOf(new Problem('Wrong.', 2))).toMatchObject({ message: 'Wrong.', exitCode: 2 });
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
  ])('shows why the client rejected the argument %s', async (argument, ask) => {
    const error = await new Promise((resolve) => resolve(ask())).catch((thrown: unknown) => thrown);
    const { message, exitCode } = problemOf(error);

    expect(message).toMatch(new RegExp(`^Invalid value: ${argument}: expected `));
    expect(message).not.toContain('SENTINEL');
    expect(exitCode).toBe(2);
  });

  it('shows which fields of a row are unreadable', () => {
    expect(problemOf(new UnreadableRow('AgentNow', ['state']))).toMatchObject({
      message: 'A row AgentNow is not as this version of the client declares it: state.',
      exitCode: 1,
    });
  });

  it.each<[unknown, RegExp]>([
    [new RangeError('SENTINEL: expected nothing'), /failed with RangeError\. Its message is not shown/],
    [new Error('agentId: expected SENTINEL'), /failed with Error\. Its message is not shown/],
    [named('Error', 'Region is missing'), /--region/],
    [named('CredentialsProviderError'), /no credentials/],
    [named('UnrecognizedClientException'), /rejected the credentials/],
    [named('QueueDoesNotExist'), /queue no longer exists/],
    [named('ResourceNotFoundException'), /table or secret no longer exists/],
    [named('Error', 'connect', { code: 'ECONNREFUSED' }), /cannot be reached/],
    [named('TimeoutError'), /in time/],
    [named('TypeError'), /failed with TypeError\. Its message is not shown/],
    ['SENTINEL', /for an unknown reason/],
  ])('explains %s without data from its message', (error, explanation) => {
    expect(problemOf(error).message).toMatch(explanation);
    expect(problemOf(error).message).not.toContain('SENTINEL');
    expect(problemOf(error).exitCode).toBe(1);
  });

  const session = 'arn:aws:sts::111122223333:assumed-role/viewer/jane@example.com';
  const table = 'arn:aws:dynamodb:eu-west-1:111122223333:table/callfeed-quarantine';
  const implicit = 'because no identity-based policy allows the dynamodb:Scan action';
  const explicit = 'with an explicit deny in a service control policy';
  it.each([
    [
      'AccessDeniedException',
      session,
      `dynamodb:Scan on resource: ${table} ${implicit}`,
      'dynamodb:Scan on table/callfeed-quarantine is not allowed for the role viewer.',
    ],
    [
      'AccessDenied',
      session,
      `sqs:getqueueattributes on resource: arn:aws:sqs:eu-west-1:111122223333:parking ${explicit}`,
      `sqs:getqueueattributes on parking is not allowed for the role viewer (${explicit}).`,
    ],
    [
      'AccessDeniedException',
      'arn:aws:iam::111122223333:user/jane',
      `kms:Decrypt on resource: * ${explicit}`,
      `kms:Decrypt is not allowed for these credentials (${explicit}).`,
    ],
    [
      'AccessDeniedException',
      session,
      'kms:Decrypt on the resource associated with this ciphertext because it does not exist in this Region',
      'kms:Decrypt is not allowed for the role viewer (on the resource associated with this ciphertext because it does not exist in this Region).',
    ],
    ['AccessDenied', 'arn:x', 'events:PutRule', 'events:PutRule is not allowed for these credentials.'],
  ])('says in a sentence what AWS denied, to whom, and not who that is: %s %s %s', (name, user, action, sentence) => {
    const denied = named(name, `User: ${user} is not authorized to perform: ${action}`);

    expect(problemOf(denied)).toMatchObject({ message: `AWS denied access: ${sentence}`, exitCode: 1 });
  });

  it('shows a denial of another form as it is', () => {
    expect(problemOf(named('AccessDeniedException', 'Access to KMS is not allowed')).message).toBe(
      'AWS denied access: Access to KMS is not allowed',
    );
  });
});
