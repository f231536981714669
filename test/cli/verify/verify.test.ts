import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../../cli/frame/command.ts';
import { connect } from '../../../cli/frame/connect.ts';
import { reportGaps } from '../../../cli/verify/call-report.ts';
import { parkedGaps } from '../../../cli/verify/parked.ts';
import type { QuarantineEntry, StorableItem } from '../../../lib/callback/schema.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { compressText } from '../../../lib/core/encoding.ts';
import { demoCall } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { jsonLines, type Replaced } from '../support/cli-run.ts';
import { sandboxForThisFile } from '../support/local-deployment.ts';

const { addresses, at, post: postRecords, put, send, eventLines } = await sandboxForThisFile();

const soon = { timeout: 30_000, interval: 100 };

/** The rows of these tests are old enough to be published long ago. */
const inAnHour = () => new Date(Date.now() + 3_600_000);
/** Waiting a second for dead letters is for the many servers of SQS. */
const withoutWaiting: Context['connect'] = async (where) => {
  const deployment = await connect(where);
  deployment.sqs.middlewareStack.add(
    (next) => (args) =>
      next({ ...args, input: Object.assign(args.input, 'WaitTimeSeconds' in args.input && { WaitTimeSeconds: 0 }) }),
    { step: 'initialize' },
  );
  return deployment;
};
const verify = (line: string, replaced: Replaced = {}) =>
  at(['verify', ...line.split(' ')], { clock: inAnHour, connect: withoutWaiting, ...replaced });
const verifyDay = (day: string, line = '--no-report', replaced: Replaced = {}) =>
  verify(`--day ${day} --time-zone UTC ${line}`, replaced);
const post = (callId: string, day: string, changes: Readonly<Record<string, string>> = {}) =>
  postRecords(demoCall(callId, { StartTime: `${day} 15:00:00`, EndTime: '', ...changes }));
const setFault = (mode: string) =>
  fetch(new URL('/_sandbox/faults/eventbridge', addresses.gateway), {
    method: 'PUT',
    body: JSON.stringify({ mode, rate: 1 }),
  });
const eventFile = (content: readonly string[]): string => {
  const file = join(temporaryFolder('verify').path, 'events.jsonl');
  writeFileSync(file, `${content.join('\n')}\n`);
  return file;
};

const day = '2026-11-10';

describe('callfeed verify', () => {
  beforeAll(async () => {
    const participant = { UCID: 'a1', CallID: 'a1', ParticipantNumber: '09000000077', ExitStatus: 'x' };
    await postRecords([demoCall('a1', { StartTime: `${day} 15:00:00` }), participant]);
    await post('a2', day);
    await post('a2', day, { Disposition: 'Sale' });
    // On a busy machine some are parked first.
    await vi.waitFor(async () => expect((await verifyDay(day)).output).toContain('Proven: 2 calls with 4'), soon);
  });

  it('proves that every revision of every row has its event, and says what it did not look at', async () => {
    const { code, output, notes } = await verifyDay(day);

    expect({ code, notes }).toEqual({ code: 0, notes: '' });
    expect(output).toMatch(/^ACCOUNT +FROM .*\ndemo +2026-11-10T00:00:00\.000Z +2026-11-10T23:59:59\.999Z +2 +4\n/);
    expect(output).toContain('\n\nCall report of demo: not read: --no-report.\n');
    expect(output).toContain(
      '\nProven: 2 calls with 4 revisions, and each has its event; none is parked, dead-lettered or quarantined. ' +
        'Not looked at: the call report, so a call whose callback never came would not be noticed.\n',
    );
  });

  it('names the revisions that a subscriber’s log lacks, and the replay that mends it', async () => {
    const all = await eventLines();
    const isOf = (callId: string, revision: number) => (line: string) => {
      const { detail } = JSON.parse(line);
      return detail.callId === callId && detail.revision === revision && detail.participantId === undefined;
    };
    const file = eventFile(all.filter((line) => !isOf('a2', 1)(line) && !isOf('a1', 1)(line)));
    const { code, output } = await verifyDay(day, `--no-report --events ${file}`);

    expect(code).toBe(1);
    expect(output).toMatch(
      /Not proven: 2 revisions without an event, 1 of them replaced by a later one, which a replay does not send\.\n {2}a\d revision 1; a\d revision 1\n/,
    );
    expect(output).toMatch(/To mend it: npx callfeed replay --from \S+Z --to \S+Z --account demo --endpoint http/);
    const [json] = jsonLines(await verifyDay(day, `--no-report --events ${file} --json`));
    expect(json).toMatchObject({ proven: false, accounts: [{ calls: 2, rows: 3, revisions: 4, unreadable: [] }] });
    expect(json?.['unpublished']).toHaveLength(2);
  });

  it.each<[string, (line: string) => string]>([
    ['as a log prints them', (line) => `2026-11-20T06:00:00.000Z INFO ${line}`],
    ['in messages of a queue', (line) => JSON.stringify({ messageId: 'x', body: line })],
    ['in entries of CloudWatch Logs', (line) => JSON.stringify({ timestamp: 1, message: `INFO ${line}` })],
    ['by their detail alone', (line) => JSON.stringify(JSON.parse(line).detail)],
  ])('reads events %s, and counts lines that are none', async (_how, wrapped) => {
    const file = eventFile([...(await eventLines()).map(wrapped), 'START RequestId: 1', '{"level":"INFO"}', '']);
    const { code, notes } = await verifyDay(day, `--no-report --events ${file}`);

    expect({ code, notes }).toEqual({ code: 0, notes: '2 lines had no event and were skipped.\n' });
  });

  it('reads what “callfeed events” printed, with its personal fields hidden', async () => {
    const { output } = await at(['events', '--json']);

    expect(output).toContain('(hidden)');
    expect((await verifyDay(day, `--no-report --events ${eventFile([output])}`)).code).toBe(0);
  });

  it('finds what the bus did not take, and waits with a verdict on what was just recorded', async () => {
    await setFault('error');
    await post('b1', '2026-11-09');
    const young = await verifyDay('2026-11-09', '--no-report', { clock: () => new Date(Date.now() + 30_000) });
    const old = await verifyDay('2026-11-09');
    await setFault('none');

    for (const [{ code, output }, what] of [
      [young, '1 row recorded less than a minute ago and not published yet'],
      [old, 'Not proven: 1 revision without an event'],
    ] as const)
      expect([code, output]).toEqual([1, expect.stringContaining(`${what}.\n  b1 revision 1\n`)]);
    await expect.poll(async () => (await verifyDay('2026-11-09')).code, soon).toBe(0);
  });

  it('finds a call that came late in the range of its recording, and one of another day in neither', async () => {
    const now = Date.now();
    const range = `--from ${new Date(now - 3_600_000).toISOString()} --no-report --json`;
    const accounts = jsonLines(await verify(range))[0]?.['accounts'];

    expect(Object(accounts)[0].calls).toBeGreaterThanOrEqual(2);
    expect((await verifyDay('2026-11-08')).output).toContain('Proven: 0 calls with 0 revisions');
  });

  it('finds calls of the range among the dead letters', async () => {
    const parked: StorableItem = {
      kind: 'delivery',
      key: { kind: 'call', account: 'demo', callId: 'c1' },
      delivery: {
        id: 'd',
        receivedAt: '2026-11-07T10:00:00.000Z',
        asSent: compressText('{}'),
        facts: { endedAt: '2026-11-05T10:00:00.000Z' },
      },
    };
    await send(addresses.deadLettersQueue, JSON.stringify(parked));

    const { code, output } = await verifyDay('2026-11-07');
    const mend = 'To mend it: npx callfeed dead-letters redrive parked --endpoint';
    expect(code).toBe(1);
    expect(output).toContain(`Not proven: 1 call among the dead letters.\n  c1\n  ${mend}`);
    expect((await verifyDay('2026-11-05')).output).toContain('1 call among the dead letters');
    expect((await verifyDay(day)).code).toBe(0);
  });

  it('proves nothing where there may be more dead letters than it reads', () => {
    const [gap] = parkedGaps({ waiting: 0, calls: [], withoutCallId: 0, isCut: true }, { stack: 'Callfeed' });

    expect(gap?.what).toContain('there may be more');
    expect(gap?.remedy).toContain('dead-letters redrive parked');
  });

  it('finds quarantined posts of the range, and counts none that are no calls or strangers’, which an earlier version kept', async () => {
    const entry = { account: 'demo', body: '{', receivedAt: '2026-11-06T23:59:00.000Z' };
    const quarantined = async (changes: Partial<QuarantineEntry>) => {
      const row = quarantineRow(quarantineEntry({ reason: 'broken-json', ...entry, ...changes }), 30);
      await put('callfeed-quarantine', row);
      return row.id;
    };
    await quarantined({ reason: 'not-a-call-summary', body: '{"event":"popup","CallerID":"1"}' });
    await quarantined({ account: undefined });
    const harmless = await verifyDay('2026-11-06');
    // A post about a call of the range may come within an hour after it.
    const id = await quarantined({ receivedAt: '2026-11-07T00:59:00.000Z' });
    const missing = await verifyDay('2026-11-06');

    expect([harmless.code, missing.code]).toEqual([0, 1]);
    expect(harmless.notes).toMatch(/not counted as missing: 1 post that .*\.\n$/);
    const settle = `have it posted again, or settle it: npx callfeed quarantine dismiss ${id} --because`;
    expect(missing.output).toContain(
      `1 quarantined post or record (broken-json).\n  ${id}\n  To mend it: no redrive can read it: ${settle}`,
    );
    // A redrive is offered where it can help: at once, or once the key is in the secret.
    const record = JSON.stringify({ monitorUCID: '7', Status: 'Answered', EndTime: '2026-11-06 10:00:00' });
    const readable = { body: record, carriedAs: 'json' } as const;
    const ready = await quarantined({ reason: 'too-many-fields', ...readable });
    const keyless = await quarantined({ reason: 'unknown-key', account: undefined, viaSecret: true, ...readable });
    const { output } = await verifyDay('2026-11-06');
    const redrive = 'npx callfeed quarantine redrive';
    expect(output).toContain(`To mend it: ${redrive} ${ready} --endpoint`);
    expect(output).toContain(`put the key into the accounts’ secret, then: ${redrive} ${keyless} --`);
    // An earlier release put it away as a post that is no call.
    await quarantined({ reason: 'not-a-call-summary', body: '{"monitorUCID":"1","Event":"AgentDial","EndTime":"x"}' });
    expect((await verifyDay('2026-11-06')).output).toContain(
      '2 quarantined posts and records (not-a-call-summary, too-many-fields)',
    );
  });

  it('finds a call that only the call report has', async () => {
    const calls = new URL('/_simulator/calls', addresses.provider);
    const at = new Date(Date.now() - 30 * 60_000).toISOString();
    // A transferred call is two.
    const made = await fetch(calls, { method: 'POST', body: JSON.stringify({ count: 1, callbacks: 'none', at }) });
    const { callIds } = Object(await made.json());
    const found = await verify('--since 2h', { clock: () => new Date() });

    expect(found).toMatchObject({ code: 1 });
    expect(found.output).toMatch(
      /Not proven: (\d+) calls? of demo on \S+ that only the call report has\.\n {2}To mend it: npx callfeed reconcile --day \S+ --account demo --endpoint/,
    );
    expect(found.output).toContain(`Not proven: ${callIds.length} call`);
  });

  it('finds calls that the table has on another day than the call report', () => {
    const report = { read: true, days: [], calls: 9, missing: {}, moved: { '2026-11-20': 5 }, cut: [] } as const;

    expect(reportGaps('demo', report, { stack: 'callfeed-prod' })).toEqual([
      {
        what: '5 calls of demo that the call report has on 2026-11-20 and the table on another day',
        remedy: expect.stringMatching(/^npx callfeed reconcile --day 2026-11-20 --account demo\b/),
      },
    ]);
  });

  it('prints what it knows, waits a minute for the report, and leaves a dry run that ends by then', async () => {
    const sent: { readonly until: string }[] = [];
    let output = '';
    let known = '';
    const withoutReport: Context['connect'] = async (where) => {
      const deployment = await withoutWaiting(where);
      const send = async (command: SendMessageCommand) => {
        if (!(command instanceof SendMessageCommand)) return deployment.sqs.send(command);
        sent.push(JSON.parse(command.input.MessageBody ?? ''));
        known = output;
        return undefined;
      };
      return { ...deployment, sqs: { send } as never };
    };
    const beganMs = Date.now();
    let atMs = beganMs;
    const clock = () => {
      atMs += 10_000;
      return new Date(atMs);
    };
    const print = (line: string) => {
      output += `${line}\n`;
    };
    const { code } = await verify('--since 2h --account demo', { connect: withoutReport, clock, terminal: { print } });

    expect(known).toMatch(/^ACCOUNT .*\ndemo /);
    expect(code).toBe(1);
    expect(output).toMatch(
      /\nNot proven: the call report of demo was not read: it was not there within 1m 00s\. Not done by [\d:.TZ-]+: Waiting for the run to begin, for [\dms ]+\.\n {2}To mend it: npx callfeed verify --from (\S+) --account demo --report-wait 2 --endpoint \S+\n/,
    );
    // It begins where this one began.
    expect(output).toMatch(/^demo +(\S+) [\s\S]* verify --from \1 /m);
    expect(sent).toMatchObject([{ kind: 'start', isDryRun: true, until: expect.stringMatching(/Z$/) }]);
    expect(Date.parse(sent[0]?.until ?? '')).toBeLessThan(atMs);
    expect(Date.parse(sent[0]?.until ?? '')).toBeGreaterThan(beganMs + 60_000);
  });

  it('proves nothing without events where the bus stores none', async () => {
    const client = { send: () => Promise.reject(new Error('Nothing is asked of it')) };
    const bus = { kind: 'event-bridge', name: 'bus', client } as const;
    const connect: Context['connect'] = async (where) => ({ ...(await withoutWaiting(where)), bus });
    const without = await verifyDay(day, '--no-report', { connect });
    const events = `--events ${eventFile(await eventLines())}`;

    expect(without.code).toBe(1);
    expect(without.output).toMatch(
      /\nNot proven: nothing to compare the publication with: .*\n {2}To mend it: .*: npx callfeed verify --day 2026-11-10 --time-zone UTC --events events\.jsonl --no-report --endpoint \S+\n/,
    );
    expect((await verifyDay(day, `--no-report ${events}`, { connect })).code).toBe(0);
  });

  it.each([
    [
      '--no-report',
      /^Give --from, --since or --day, such as: npx callfeed verify --since 2h --no-report --endpoint \S+\n$/,
    ],
    ['--from 2026-11-10 --to 2026-11-09', /^The range must begin before it ends/],
    ['--day today --since 2h', /cannot be used with option/],
    ['--since 2h --account demmo', /^The deployment has no account demmo, /],
    ['--since 2h --account DEMO', /^The deployment has no account DEMO, /],
    ['--since 2h --no-report --events none.jsonl', /^none\.jsonl cannot be read \(ENOENT\)\.\n$/],
  ])('rejects %s', async (line, message) => {
    expect(await verify(line)).toMatchObject({ code: 2, notes: expect.stringMatching(message) });
  });
});
