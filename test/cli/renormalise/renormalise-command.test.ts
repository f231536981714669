import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { rowAt } from '../../../cli/frame/rows.ts';
import { createCallfeedClient } from '../../../client/index.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { addDays } from '../../../lib/core/time.ts';
import { specificationParticipant } from '../../fixtures/calls.ts';
import { demoCall } from '../../support/sandbox.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { account, forThisFile, startDeployment } from '../support/local-deployment.ts';

const deployment = await forThisFile(startDeployment());

const run = (...args: readonly string[]) => cli(['renormalise', ...args], { connect: deployment.connect });

/** A day without calls of other tests, and options that choose it. */
const newDay = () => {
  deployment.advance(2 * 86_400_000);
  const from = new Date(deployment.now()).toISOString().slice(0, 10);
  return { from, to: addDays(from, 1), range: ['--from', from, '--to', addDays(from, 1)] };
};

/** Stores a call of today, as an earlier release did that believed its start of 1970. */
const storedBefore = async (callId: string) => {
  await deployment.post({
    monitorUCID: callId,
    Status: 'Answered',
    StartTime: '1970-01-01 05:30:00',
    EndTime: new Date(deployment.now()).toISOString(),
  });
  await deployment.tables.client.send(
    new UpdateItemCommand({
      TableName: deployment.tables.tableNames.calls,
      Key: { pk: { S: `demo#${callId}` }, sk: { S: 'call' } },
      UpdateExpression:
        'SET startedAt = :at, listedAt = :at, lateCalls = :account, firstRecordedAt = recordedAt REMOVE notes',
      ExpressionAttributeValues: { ':at': { S: '1970-01-01T00:00:00.000Z' }, ':account': { S: 'demo' } },
    }),
  );
};

describe('callfeed renormalise', () => {
  it('finds a call whose start was never set on the day of its recording, and mends it once', async () => {
    const { range } = newDay();
    await storedBefore('71');
    await storedBefore('72');
    await deployment.post({
      monitorUCID: '73',
      Status: 'Answered',
      StartTime: new Date(deployment.now()).toISOString(),
    });

    expect(await run(...range, '--dry-run')).toMatchObject({
      code: 0,
      notes: '3 calls read, 2 rows would be revised. Fields: notes 2, startedAt 2.\n',
    });
    expect(await run(...range)).toMatchObject({ code: 0, notes: expect.stringContaining('2 rows revised') });
    expect(await run(...range)).toMatchObject({ code: 0, notes: '3 calls read, 0 rows revised.\n' });
    // At the ends of a range a call is read once, though it was also recorded in the range.
    const at = new Date(deployment.now()).toISOString();
    expect((await run('--from', at, '--to', at)).notes).toBe('3 calls read, 0 rows revised.\n');
  });

  /** The command where the account has got a country. */
  const withCountry = async (country: string, ...args: readonly string[]) => {
    const connected = {
      ...(await deployment.connect()),
      accounts: async () => accountIndex([{ ...account, baseUrl: 'https://service.invalid', country }]),
    };
    return cli(['renormalise', ...args], { connect: async () => connected });
  };

  it('mends the E.164 forms of an account whose country was changed, and says that nothing is revised', async () => {
    const { range } = newDay();
    const inBritain = (...args: readonly string[]) => withCountry('GB', ...range, ...args);
    await deployment.post({ ...demoCall('77', { CallerID: '07700900674' }), StartTime: deployment.now() });
    const row = async () =>
      rowAt(await deployment.connect(), deployment.tables.tableNames.calls, { pk: 'demo#77', sk: 'call' });
    expect(await row()).toMatchObject({ customerNumberE164: '+917700900674', revision: 1, version: 1 });

    const counts = 'E.164 forms: changed 1. Fields: customerNumberE164 1.\n';
    expect(await inBritain('--dry-run')).toMatchObject({
      output: '77  customerNumberE164  (hidden) -> (hidden)\n',
      notes: `1 calls read, 0 rows would be revised, 1 would change without a revision. ${counts}`,
    });
    const before = '+917700900674';
    const after = '+447700900674';
    expect((await inBritain('--dry-run', '--show-personal')).output).toBe(
      `77  customerNumberE164  ${before} -> ${after}\n`,
    );
    const about = { callId: '77', isRevised: false, changedFields: ['customerNumberE164'] };
    expect(jsonLines(await inBritain('--dry-run', '--json', '--show-personal'))).toEqual([
      { ...about, e164: [{ field: 'customerNumberE164', before, after }] },
    ]);
    expect(await row()).toMatchObject({ version: 1 });

    const mended = await inBritain('--json');
    expect(jsonLines(mended)).toEqual([
      { ...about, e164: [{ field: 'customerNumberE164', before: '(hidden)', after: '(hidden)' }] },
    ]);
    expect(mended.notes).toBe(`1 calls read, 0 rows revised, 1 changed without a revision. ${counts}`);
    expect(await row()).toMatchObject({ customerNumberE164: '+447700900674', revision: 1, version: 2 });
    expect(await inBritain('--dry-run')).toMatchObject({
      output: '',
      notes: '1 calls read, 0 rows would be revised.\n',
    });
  });

  it('lists numbers that are added and removed, of legs and participants too, and counts what is revised apart', async () => {
    const { range } = newDay();
    const StartTime = new Date(deployment.now()).toISOString();
    const leg = (UCID: string) => ({ ...demoCall('78', { CallerID: '07700900674' }), UCID, StartTime });
    const participant = { ...specificationParticipant, UCID: '78', ParticipantNumber: '07700900675', StartTime };
    await deployment.post(leg('1'), leg('2'));
    await deployment.post(participant);
    await deployment.post({ ...demoCall('79', { CallerID: '07700900676' }), StartTime });
    await deployment.tables.client.send(
      new UpdateItemCommand({
        TableName: deployment.tables.tableNames.calls,
        Key: { pk: { S: 'demo#79' }, sk: { S: 'call' } },
        UpdateExpression: 'REMOVE customerNumberE164',
      }),
    );
    await storedBefore('80');

    const inNorway = (...args: readonly string[]) => withCountry('NO', ...range, '--dry-run', ...args);
    const inIndia = (...args: readonly string[]) => withCountry('IN', ...range, '--dry-run', ...args);
    const participantId = jsonLines(await inNorway('--json')).find((row) => 'participantId' in row)?.['participantId'];
    expect((await inNorway('--show-personal')).output.split('\n').toSorted()).toEqual([
      '',
      '78  customerNumberE164  +917700900674 -> none',
      'leg 1 of 78  customerNumberE164  +917700900674 -> none',
      'leg 2 of 78  customerNumberE164  +917700900674 -> none',
      `participant ${participantId} of 78  participantNumberE164  +917700900675 -> none`,
    ]);
    expect((await inIndia('--show-personal')).output).toBe('79  customerNumberE164  none -> +917700900676\n');
    expect(jsonLines(await inNorway('--json'))).toContainEqual({
      callId: '80',
      isRevised: true,
      changedFields: ['notes', 'startedAt'],
    });
    // Where no number changes, the deliveries note the country all the same.
    expect((await inIndia()).notes).toBe(
      '3 calls read, 1 rows would be revised, 3 would change without a revision. E.164 forms: added 1. ' +
        'Fields: customerNumberE164 1, deliveries 2, notes 1, startedAt 1.\n',
    );
    expect((await inNorway()).notes).toBe(
      '3 calls read, 1 rows would be revised, 3 would change without a revision. E.164 forms: removed 4. ' +
        'Fields: customerNumberE164 1, deliveries 1, legs 1, notes 1, participantNumberE164 1, startedAt 1.\n',
    );
  });

  it('continues in the list that its cursor is of, and refuses a cursor of none', async () => {
    const { from, to, range } = newDay();
    for (const callId of ['74', '75', '76']) await storedBefore(callId);
    const client = createCallfeedClient({
      dynamodb: deployment.tables.client,
      tables: deployment.tables.tableNames,
      account: 'demo',
    });
    const { value: page } = await client
      .calls({ recordedFrom: `${from}T00:00:00.000Z`, recordedTo: `${to}T00:00:00.000Z` })
      .pages(2)
      [Symbol.asyncIterator]()
      .next();

    expect(await run(...range, '--dry-run', '--cursor', page.next)).toMatchObject({
      code: 0,
      notes: expect.stringMatching(/^1 calls read, 1 rows would be revised\./),
    });
    expect(await run(...range, '--cursor', 'x')).toMatchObject({ code: 2 });
  });

  it('stops before the next row, and says how to continue', async () => {
    const { range } = newDay();
    await storedBefore('81');
    const StartTime = new Date(deployment.now()).toISOString();
    await deployment.post({ monitorUCID: '82', Status: 'Answered', StartTime });
    const stop = new AbortController();
    const interrupted = (signal: AbortSignal, progress = () => {}) =>
      cli(['renormalise', ...range], {
        connect: deployment.connect,
        interruption: () => signal,
        terminal: { progress },
      });

    const stopped = '0 rows revised. To continue: the same command.';
    expect((await interrupted(AbortSignal.abort())).notes).toContain(`Stopped after 0 calls read, ${stopped}`);
    expect((await interrupted(stop.signal, () => stop.abort())).notes).toContain(`after 1 calls read, ${stopped}`);
    expect((await run(...range)).notes).toContain('2 calls read, 1 rows revised.');
  });
});
