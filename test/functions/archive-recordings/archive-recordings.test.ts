import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { agent } from '../../../cli/erase/erase-agent.ts';
import { customerSearch, customerToErase } from '../../../cli/erase/erase-customer.ts';
import { eraseCall, type Person } from '../../../cli/erase/erase-person.ts';
import { dynamoVersionedRows } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import { leaseMs, patienceMs, pauseMs } from '../../../functions/archive-recordings/archive-recordings.ts';
import {
  recordingRow,
  requestedAgain,
  storedRecordingOf,
} from '../../../functions/archive-recordings/recording-row.ts';
import { fail, ok } from '../../../lib/core/result.ts';
import { dayOf, objectKeyOf, recordingIdOf } from '../../../lib/recordings/recording-keys.ts';
import {
  lastingProblems,
  passingProblems,
  type RecordingProblem,
  textOfProblem,
} from '../../../lib/recordings/schema.ts';
import { keyItem, type RowKey, type VersionedRow } from '../../../lib/storage/rows.ts';
import { maxRecordings } from '../../../lib/telephony/recording-links.ts';
import { call, type Deployment, deployment, type Failure, type RecordingHost } from '../../deployment/index.ts';
import { specificationParticipant } from '../../fixtures/calls.ts';
import { generousDeadline } from '../../support/memory-ports.ts';

const first = 'https://recordings.example.com/demo/1.mp3';
const second = 'https://recordings.example.com/demo/2.mp3';
const start = '2026-11-20T06:00:01.000Z';
const message = { account: 'demo', callId: '42' };
const summary = call({ monitorUCID: '42', StartTime: '2026-11-20 11:00:00' }).answered().withRecording(first);
const keyOf = (url: string) => `demo/2026-11-20/42/${recordingIdOf(url)}`;

/** A host that has every recording, each with its own content. */
const whole: RecordingHost = (url) => ok(`audio of ${url}`);

/** A deployment with one call, whose events were published, and archiving had what it has now. */
const archiving = async (recordingHost: RecordingHost, posted: unknown = summary) => {
  const d = await deployment({ startedAt: start, recordingHost });
  await d.post(posted);
  await d.settled();
  return d;
};

it('a message is measured at its first attempt: how long it has waited in the queue', async () => {
  const d = await archiving(() => fail('empty'));
  await d.archive(undefined, 0);
  d.advance(901_000);
  await d.archive();
  d.advance(120_000);
  await d.archive();

  expect(d.measured()['RecordingsDelaySeconds']).toEqual([901]);
  expect(d.metrics()).toMatchObject({ RecordingsFailed: 2 });
});

/** Time passes from message to message until none is left; changes are published. */
const untilDone = async (d: Deployment) => {
  for (let rounds = 0; rounds < 200; rounds++) {
    await d.archive();
    const next = d.nextArchiving();
    if (next === undefined) break;
    d.advance(next);
  }
  await d.settled();
};

const archivedEvents = (d: Deployment) => d.published().filter(({ type }) => type === 'Call Recording Archived');

const rowsOf = (d: Deployment) => d.recordings().rows();

const statusesOf = async (d: Deployment) => (await rowsOf(d)).map(({ status }) => status);

/** The row of the only recording, as it is stored. */
const storedRow = async (d: Deployment) => (await d.rows('calls')).find(({ kind }) => kind === 'recording') ?? {};

const putRow = (d: Deployment, row: VersionedRow) =>
  dynamoVersionedRows(d.dynamodb, d.tables.calls).putNextVersion(row, { puts: [], removes: [] }, generousDeadline());

const removeRow = (d: Deployment, key: RowKey) =>
  d.dynamodb.send(new DeleteItemCommand({ TableName: d.tables.calls, Key: keyItem(key) }));

const writesObject = { operation: 'PutObject' };
describe('a recording that is there', () => {
  it('is in the bucket, described by its row and by one event', async () => {
    const d = await archiving(whole);
    await d.archive();
    await d.settled();

    expect([...d.recordings().objects]).toEqual([[keyOf(first), `audio of ${first}`]]);
    const described = {
      recordingId: recordingIdOf(first),
      objectKey: keyOf(first),
      bucket: 'recordings',
      contentType: 'audio/mpeg',
      sizeBytes: 50,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      archivedAt: expect.any(String),
    };
    expect(await rowsOf(d)).toEqual([
      {
        ...message,
        ...described,
        status: 'archived',
        attempts: 1,
        waitingSince: expect.any(String),
        recordedAt: expect.any(String),
      },
    ]);
    expect(archivedEvents(d).map(({ detail }) => detail)).toEqual([
      expect.objectContaining({ ...message, recording: described }),
    ]);
    expect(d.metrics()).toMatchObject({ RecordingsArchived: 1, RecordingsFailed: 0 });
    expect(d.nextArchiving()).toBeUndefined();
  });

  it('is asked for once, however often its call is revised, and its row expires with the call’s', async () => {
    const d = await archiving(whole);
    await d.archive();
    await d.post(summary.withDisposition('Sale'));
    await d.settled();
    d.requestArchiving(message);
    await untilDone(d);

    expect(d.recordings().asked).toEqual([first]);
    expect(archivedEvents(d)).toHaveLength(1);
    const row = await storedRow(d);
    expect(row['expiresAt']).toBe((await d.row('42'))?.['expiresAt']);
    expect(row).not.toHaveProperty('accountCalls');
    expect(JSON.stringify(row)).not.toContain('example.com');
  });

  it.each([
    ['at once', undefined],
    ['by a second run, as the first was killed before it wrote so', { ...writesObject, kind: 'crash-after' }],
  ] as const)('whose host names no length has a note on its row and in its event, %s', async (_when, failure) => {
    const note = 'no-length';
    const d = await archiving(() => ok({ body: 'audio', note }));
    if (failure !== undefined) await d.fail('s3', failure).during(() => d.archive());
    await untilDone(d);

    expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'archived', note })]);
    expect(archivedEvents(d).map(({ detail }) => detail['recording'])).toEqual([expect.objectContaining({ note })]);
    expect(d.recordings().asked).toEqual([first]);
  });

  it('of a later URL, of a conference or of a participant is an object of its own', async () => {
    const others = ['https://recordings.example.com/c', 'https://recordings.example.com/p'] as const;
    const d = await archiving(whole, [
      summary.with({ CallerConfAudioFile: `${first} -> - -> ${others[0]}` }).fields,
      { ...specificationParticipant, UCID: '42', Apikey: summary.fields['Apikey'], Audio: `N/A;${others[1]}` },
    ]);
    await d.archive();
    await d.post(summary.withRecording(second).withDisposition('Sale'));
    await d.settled();
    await untilDone(d);

    expect([...d.recordings().objects.keys()].sort()).toEqual([first, second, ...others].map(keyOf).sort());
    expect(d.recordings().asked.toSorted()).toEqual([first, second, ...others].toSorted());
  });

  it('is archived beside one whose row has words of a newer version', async () => {
    const d = await archiving(whole);
    await untilDone(d);
    const stored = storedRecordingOf(await storedRow(d));
    const moved = { ...recordingRow({ ...stored, version: stored.version + 1 }), status: 'moved', problem: 'quota' };
    await putRow(d, moved);
    await d.post(summary.withRecording(second));
    await d.settled();
    await untilDone(d);

    expect(d.recordings().asked).toEqual([first, second]);
    expect((await statusesOf(d)).toSorted()).toEqual(['archived', 'moved']);
  });

  it('is published again at a replay, and not at any other write', async () => {
    const d = await archiving(whole);
    await untilDone(d);
    const stored = storedRecordingOf(await storedRow(d));
    const again = {
      ...recordingRow({ ...stored, version: stored.version + 1 }),
      replayedAt: '2026-11-21T00:00:00.000Z',
    };
    await putRow(d, again);
    await putRow(d, { ...again, version: again.version + 1 });
    await d.settled();

    const ids = archivedEvents(d).map(({ detail }) => [detail['id'], detail['replayedAt']]);
    expect(ids).toEqual([
      [ids[0]?.[0], undefined],
      [ids[0]?.[0], '2026-11-21T00:00:00.000Z'],
    ]);
  });
});

describe('a recording that is not there', () => {
  it.each(Object.keys(passingProblems) as RecordingProblem[])('(%s) is archived as soon as it is', async (problem) => {
    let tries = 0;
    const d = await archiving((url) => (++tries < 4 ? fail(problem) : whole(url)));
    await d.archive();
    expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'waiting', problem, attempts: 1 })]);
    await untilDone(d);

    expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'archived', attempts: 4 })]);
    expect((await rowsOf(d))[0]).not.toHaveProperty('problem');
    expect(d.recordings().letters).toEqual([]);
  });

  it('is asked for with growing pauses for two days, listed meanwhile, and then given up with the reason', async () => {
    const times: number[] = [];
    const d: Deployment = await archiving(() => {
      times.push(Date.parse(d.now()));
      return fail('empty');
    });
    await d.archive();
    const waiting = await storedRow(d);
    expect(waiting).toMatchObject({ accountCalls: 'demo#recordings#waiting', listedAt: waiting['waitingSince'] });
    await untilDone(d);

    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses.slice(0, 5)).toEqual([60_000, 120_000, 240_000, 480_000, 960_000]);
    const whole = pauses.slice(0, -1);
    expect(whole.toSorted((a, b) => a - b)).toEqual(whole);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBe(patienceMs);
    expect(await rowsOf(d)).toEqual([
      expect.objectContaining({ status: 'given-up', problem: 'empty', attempts: times.length }),
    ]);
    expect(d.recordings().letters).toEqual([
      expect.objectContaining({ ...message, problem: 'empty', why: passingProblems.empty, attempts: times.length }),
    ]);
    const row = await storedRow(d);
    expect(row).toMatchObject({ accountCalls: 'demo#recordings#given-up', listedAt: row['givenUpAt'] });
    expect(archivedEvents(d)).toEqual([]);
  });

  it.each([2, 5])('of %i, one more each minute: each is asked for two days', async (count) => {
    const links = Array.from({ length: count }, (_, index) => `https://recordings.example.com/${index}`);
    const d = await archiving(() => fail('empty'), summary.withRecording(''));
    for (let known = 1; known <= count; known++) {
      await d.post(summary.withRecording(links.slice(0, known).join(',')));
      await d.settled();
      await d.archive();
      expect(d.nextArchiving()).toBe((await rowsOf(d)).map(({ askAgainAt }) => askAgainAt).sort()[0]);
      d.advance(65_000);
    }
    await untilDone(d);

    expect((await rowsOf(d)).map(({ status, problem }) => [status, problem])).toEqual(
      links.map(() => ['given-up', 'empty']),
    );
    for (const { waitingSince, givenUpAt = '' } of await rowsOf(d))
      expect(Date.parse(givenUpAt) - Date.parse(waitingSince)).toBeGreaterThanOrEqual(patienceMs);
    expect(d.recordings().letters).toEqual(links.map(() => expect.objectContaining({ ...message, problem: 'empty' })));
  });

  it('in a bucket that takes nothing for half a day is asked for with the same pauses, and listed with the reason', async () => {
    const d = await archiving(whole);
    await d.fail('s3', writesObject).during(async () => {
      while (d.now() < '2026-11-20T18') {
        await d.archive();
        d.advance(d.nextArchiving() ?? '');
      }
    });
    expect(d.recordings().asked).toHaveLength(10);
    expect(d.metrics()).toMatchObject({ RecordingsFailed: 10, RecordingsArchived: 0 });
    expect(d.faults()).toContain('recordings');
    expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'waiting', problem: 'not-stored' })]);
    expect(await storedRow(d)).toHaveProperty('accountCalls', 'demo#recordings#waiting');
    await untilDone(d);

    expect(await statusesOf(d)).toEqual(['archived']);
  });

  it.each<[string, isThere: boolean, part: 's3' | 'recordings', Failure, becomes: object]>([
    ['in a bucket that does not take it', true, 's3', writesObject, { status: 'given-up', problem: 'not-stored' }],
    ['killed after it wrote the object', true, 's3', { ...writesObject, kind: 'crash-after' }, { status: 'archived' }],
    ['killed after it asked', false, 'recordings', { kind: 'crash-after' }, { status: 'given-up', problem: 'empty' }],
  ])('has no further attempt after the last one, %s', async (_what, isThere, part, failure, becomes) => {
    let isLast = false;
    const d = await archiving((url) => (isLast && isThere ? whole(url) : fail('empty')));
    await d.archive();
    d.advance(patienceMs - pauseMs(1));
    await d.archive();
    d.advance(d.nextArchiving() ?? '');
    const asked = d.recordings().asked.length;
    isLast = true;
    await d.fail(part, failure).during(() => d.archive());
    await untilDone(d);

    expect(await rowsOf(d)).toEqual([expect.objectContaining(becomes)]);
    expect(d.recordings().asked).toHaveLength(asked + 1);
    const { problem } = becomes as { readonly problem?: string };
    expect(d.recordings().letters).toEqual(problem ? [expect.objectContaining({ problem })] : []);
    expect(archivedEvents(d)).toHaveLength(problem ? 0 : 1);
  });

  it.each(Object.keys(lastingProblems) as RecordingProblem[])('(%s) is given up at once', async (problem) => {
    const d = await archiving(() => fail(problem));
    await untilDone(d);

    expect(d.recordings().asked).toHaveLength(1);
    expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'given-up', problem })]);
    expect(d.metrics()).toMatchObject({ RecordingsFailed: 1, RecordingsArchived: 0 });
    const detail = expect.stringContaining(`A recording was given up. ${problem}: `);
    expect(d.logs()).toContainEqual(expect.objectContaining({ where: 'recordings', detail }));
  });

  it('is not asked for after it was given up, unless an operator requests it again', async () => {
    let isThere = false;
    const d = await archiving((url) => (isThere ? whole(url) : fail('other-host')));
    await untilDone(d);
    isThere = true;
    await d.post(summary.withDisposition('Sale'));
    await d.settled();
    await untilDone(d);
    expect(d.recordings().asked).toHaveLength(1);

    const again = recordingRow(requestedAgain(storedRecordingOf(await storedRow(d)), d.now()));
    expect(again).toMatchObject({ accountCalls: 'demo#recordings#waiting', attempts: 0 });
    await putRow(d, again);
    d.requestArchiving(message);
    await untilDone(d);
    expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'archived', attempts: 1 })]);
  });

  it('does not keep the other recordings of its call waiting', async () => {
    const d = await archiving(
      (url) => (url === first ? fail('not-found') : whole(url)),
      summary.withRecording(`${first},${second}`),
    );
    await d.archive();

    expect([...d.recordings().objects.keys()]).toEqual([keyOf(second)]);
    expect(d.nextArchiving()).toBe(new Date(Date.parse(d.now()) + pauseMs(1)).toISOString());
  });
});

describe('whatever happens in between', () => {
  const states = async (d: Deployment) => ({
    objects: [...d.recordings().objects],
    rows: (await rowsOf(d)).map(({ status, sha256, problem }) => ({ status, sha256, problem })),
    events: [...new Set(archivedEvents(d).map(({ detail }) => detail['id']))],
    // Each at least once.
    letters: [...new Set(d.recordings().letters.map(({ recordingId, problem }) => `${recordingId} ${problem}`))],
  });
  const two = summary.withRecording(`${first},${second}`);
  const host: RecordingHost = (url) => (url === first ? whole(url) : fail('too-large'));

  it.each([
    ...['crash-before', 'crash-after', 'fail', 'lose'].flatMap((kind) =>
      Array.from({ length: 14 }, (_, after) => ({ kind: kind as 'fail', after })),
    ),
  ])('$kind at effect $after leads to the same objects, rows, events and dead letters', async ({ kind, after }) => {
    const undisturbed = await archiving(host, two);
    await untilDone(undisturbed);
    const d = await archiving(host, two);
    await d.fail(['dynamodb', 's3', 'recordings', 'sqs'], { kind, after, times: 1 }).during(() => d.archive());
    await untilDone(d);

    expect(await states(d)).toEqual(await states(undisturbed));
    expect(d.recordings().asked.length).toBeLessThanOrEqual(3);
  });

  it.each(Array.from({ length: 12 }, (_, nth) => nth))(
    'another run before effect %i leads to the same objects, and the host is asked once',
    async (nth) => {
      const d = await archiving(whole);
      const other = d.startAnother();
      d.requestArchiving(message);
      const effect = { after: nth, times: 1 };
      await d.before(['dynamodb', 's3', 'recordings'], effect, () => d.archive(other)).during(() => d.archive());
      await untilDone(d);

      expect([...d.recordings().objects]).toEqual([[keyOf(first), `audio of ${first}`]]);
      expect(d.recordings().asked).toHaveLength(1);
      expect(archivedEvents(d)).toHaveLength(1);
    },
  );

  it.each([0, 1, 2])(
    'another run before query %i, of a call that has just got another recording, does not have that given up',
    async (query) => {
      let isThere = false;
      const d = await archiving((url) => (url === first || isThere ? whole(url) : fail('not-found')));
      const other = d.startAnother();
      const revise = async () => {
        await d.post(summary.withRecording(second).withDisposition('Sale'));
        await d.settled();
        d.requestArchiving(message);
        await d.archive(other);
      };
      await d.before('dynamodb', { operation: 'Query', after: query, times: 1 }, revise).during(() => d.archive());
      isThere = true;
      await untilDone(d);

      expect(await statusesOf(d)).toEqual(['archived', 'archived']);
    },
  );

  it('a run that was killed after it wrote the object is enough, though the host has the recording no more', async () => {
    let asked = 0;
    const d = await archiving((url) => (asked++ === 0 ? whole(url) : fail('not-allowed')));
    await d.fail('s3', { ...writesObject, kind: 'crash-after' }).during(() => d.archive());
    await untilDone(d);

    expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'archived', attempts: 2 })]);
    expect(asked).toBe(1);
  });

  it('a run that was killed lets its recording wait for a quarter of an hour, and no other one asks before', async () => {
    const d = await archiving(whole);
    await d.fail('recordings', { kind: 'crash-before' }).during(() => d.archive());
    expect(await storedRow(d)).not.toHaveProperty('accountCalls');
    const [{ askAgainAt = '' } = {}] = await rowsOf(d);
    expect(Date.parse(askAgainAt) - Date.parse(d.now())).toBe(15 * 60_000);
    d.requestArchiving(message);
    await d.archive();
    expect(d.recordings().asked).toEqual([]);
    await untilDone(d);

    expect(d.recordings().asked).toEqual([first]);
  });

  it('runs that were all killed give their recording up in the end, as timed out', async () => {
    const d = await archiving(whole);
    const killed = () => d.fail('recordings', { kind: 'crash-before' }).during(() => d.archive());
    await killed();
    d.advance(patienceMs);
    await killed().then(() => untilDone(d));

    expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'given-up', problem: 'timeout' })]);
  });

  it.each<[string, RecordingHost, number]>([
    ['changes nothing that another one has archived', whole, 3],
    ['archives what another one asked for in vain', () => fail('empty'), 4],
  ])('a run that was slower than its lease %s', async (_what, later, version) => {
    let asked = 0;
    const d = await archiving((url) => (asked++ === 0 ? whole(url) : later(url)));
    const other = d.startAnother();
    d.requestArchiving(message);
    const overtaken = () => {
      d.advance(leaseMs);
      return d.archive(other);
    };
    await d.before('s3', { ...writesObject, times: 1 }, overtaken).during(() => d.archive());
    await untilDone(d);

    expect([...d.recordings().objects]).toEqual([[keyOf(first), `audio of ${first}`]]);
    expect(await d.rows('calls')).toContainEqual(expect.objectContaining({ status: 'archived', version }));
    expect(archivedEvents(d)).toHaveLength(1);
  });

  it('a message that is none stays until it is a dead letter', async () => {
    const d = await archiving(whole);
    await untilDone(d);
    d.requestArchiving({} as never);
    await d.archive();

    expect(d.faults()).toContain('recordings');
    expect(d.nextArchiving()).toBeDefined();
  });

  it('a message of a call that has expired, or that has no recording, is done', async () => {
    const d = await archiving(whole, summary.withRecording(''));
    d.requestArchiving(message);
    d.requestArchiving({ account: 'demo', callId: 'unknown' });
    await untilDone(d);

    expect(d.recordings().asked).toEqual([]);
  });
});

describe('a recording whose call or row is gone', () => {
  it.each<[string, RecordingHost, becomes: object, objects: readonly string[]]>([
    ['is not waited for', () => fail('not-found'), { status: 'given-up', problem: 'not-named' }, []],
    ['stays where it was archived', whole, { status: 'archived' }, [keyOf(first)]],
  ])('%s', async (_what, host, becomes, objects) => {
    const d = await archiving(host);
    await d.archive();
    await removeRow(d, { pk: 'demo#42', sk: 'call' });
    d.requestArchiving(message);
    await untilDone(d);

    expect(await rowsOf(d)).toEqual([expect.objectContaining(becomes)]);
    expect([...d.recordings().objects.keys()]).toEqual(objects);
    expect([d.recordings().asked.length, d.recordings().letters]).toEqual([1, []]);
  });

  it('leaves no object, though it was copied at that moment', async () => {
    const d = await archiving(whole);
    const remove = () => removeRow(d, { pk: 'demo#42#recordings', sk: recordingIdOf(first) });
    await d.before('s3', { ...writesObject, times: 1 }, remove).during(() => d.archive());

    expect([...d.recordings().objects]).toEqual([]);
    expect(archivedEvents(d)).toEqual([]);
  });
});

describe('a recording whose link is signed again', () => {
  const signed = (nth: number) => `${first}?X-Amz-Credential=k%2F${nth}&X-Amz-Expires=900&X-Amz-Signature=${nth}`;
  const post = async (d: Deployment, nth: number) => {
    await d.post(summary.withRecording(signed(nth)));
    await d.settled();
  };

  it('is one entry with the latest link, archived once, with a revision for each link at most', async () => {
    const d = await archiving(whole, summary.withRecording(signed(1)));
    await untilDone(d);
    await post(d, 2);
    await post(d, 2);
    await untilDone(d);

    expect(await d.row('42')).toMatchObject({ recordings: [signed(2)], revision: 2 });
    expect(d.recordings().asked).toEqual([signed(1)]);
    const recordingId = recordingIdOf(signed(3));
    expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'archived', recordingId })]);
    expect(archivedEvents(d)).toHaveLength(1);
  });

  it.each(['waiting', 'given-up'])(
    'while it is %s is asked for at once, as the earlier one may have expired',
    async (status) => {
      let valid = 2;
      const d = await archiving(
        (url) => (url === signed(valid) ? whole(url) : fail('not-allowed')),
        summary.withRecording(signed(1)),
      );
      await d.archive();
      if (status === 'given-up') await untilDone(d);
      expect(await rowsOf(d)).toEqual([expect.objectContaining({ status })]);
      await post(d, 2);
      await d.archive();

      expect(await rowsOf(d)).toEqual([expect.objectContaining({ status: 'archived', attempts: 1 })]);
      valid = 3;
      await post(d, 3);
      await untilDone(d);
      expect(d.recordings().asked.at(-1)).toBe(signed(2));
    },
  );

  it.each([
    ['waits with pauses again where the new link fails too', 'not-allowed', [signed(1), signed(2)], 0],
    ['stays given up where that would change nothing', 'other-host', [signed(1)], 1],
  ] as const)('%s', async (_what, problem, asked, letters) => {
    const d = await archiving(() => fail(problem), summary.withRecording(signed(1)));
    for (const link of [1, 2]) {
      await post(d, link);
      await d.archive();
      d.requestArchiving(message);
      await d.archive();
    }

    expect(d.recordings().asked).toEqual(asked);
    expect(d.recordings().letters).toHaveLength(letters);
  });
});

it('of very many recordings as many are archived as the limit says, ten in a run, with a note beside all links', async () => {
  const links = Array.from({ length: maxRecordings + 1 }, (_, index) => `${second}-${index}`);
  const tooMany = { field: 'recordings', reason: 'too-many' };
  const d = await archiving(whole, summary.withRecording(links.slice(0, -1).join(',')));
  expect((await d.row('42'))?.['notes'] ?? []).not.toContainEqual(tooMany);
  await d.archive();
  expect(d.recordings().asked).toEqual(links.slice(0, 10));
  await d.post(summary.withRecording(links.at(-1) ?? ''));
  await d.settled();
  await untilDone(d);

  expect(d.recordings().asked).toEqual(links.slice(0, -1));
  expect(await d.row('42')).toMatchObject({ recordings: links, notes: expect.arrayContaining([tooMany]) });
  expect(d.recordings().letters).toEqual([]);
});

const erasePerson = async (d: Deployment, person: Person) => {
  const rows = (await d.rows('calls')).filter(({ kind }) => kind === 'call');
  const settings = {
    rows: dynamoVersionedRows(d.dynamodb, d.tables.calls),
    retentionDays: 730,
    clock: () => new Date(d.now()),
  };
  await eraseCall(settings)(rows, person, generousDeadline());
  await d.settled();
};

describe('erasing an agent', () => {
  const link = 'https://recordings.example.com/demo/asha_1.mp3';
  const asha = agent({ account: 'demo', agentId: 'asha', pseudonym: 'erased-1a2b3c4d' });

  it.each<readonly [string, object, RecordingHost]>([
    ['archived: it stays so', { status: 'archived' }, whole],
    ['waiting: it waits no more', { status: 'given-up', problem: 'not-named' }, () => fail('not-found')],
  ])(
    'whose id is in the link of one that is %s, and the changed link is not asked for',
    async (_what, became, host) => {
      const d = await archiving(host, summary.with({ AgentID: 'asha' }).withRecording(link));
      await d.archive();
      const objects = [...d.recordings().objects];
      await erasePerson(d, asha);
      d.requestArchiving(message);
      await untilDone(d);

      expect((await d.row('42'))?.['recordings']).toEqual([link.replace('asha', 'erased-1a2b3c4d')]);
      expect(await rowsOf(d)).toEqual([expect.objectContaining(became)]);
      expect([...d.recordings().objects]).toEqual(objects);
      expect(d.recordings().asked).toEqual([link]);
      expect(d.recordings().letters).toEqual([]);
    },
  );
});

describe('erasing a customer', () => {
  const erase = (d: Deployment) =>
    erasePerson(d, customerToErase(customerSearch(String(summary.fields['CallerID'])) ?? expect.unreachable(), 'demo'));

  it.each(['archived', 'waiting'] as const)('removes what is %s, and asks for nothing more', async (status) => {
    const d = await archiving(status === 'archived' ? whole : () => fail('not-found'));
    await d.archive();
    await erase(d);
    const asked = d.recordings().asked.length;
    await untilDone(d);

    expect([...d.recordings().objects]).toEqual([]);
    const bucket = status === 'archived' ? { bucket: 'recordings' } : {};
    const rows = await rowsOf(d);
    expect(rows).toEqual([expect.objectContaining({ status: 'erased', ...bucket })]);
    d.advance(leaseMs);
    d.requestArchiving(message);
    await untilDone(d);
    expect(await rowsOf(d)).toEqual(rows);
    expect(d.recordings().asked).toHaveLength(asked);
  });

  it.each(Array.from({ length: 11 }, (_, nth) => nth))(
    'before effect %i of a run leaves no object, though another run has seen the erasure by then',
    async (nth) => {
      const d = await archiving(whole, summary.withRecording(`${first},${second}`));
      const other = d.startAnother();
      const eraseAndSee = () => erase(d).then(() => d.archive(other));
      const effect = { after: nth, times: 1 };
      await d.before(['dynamodb', 's3', 'recordings'], effect, eraseAndSee).during(() => d.archive());

      expect([...d.recordings().objects]).toEqual([]);
      for (const status of await statusesOf(d)) expect(status).toBe('erased');
    },
  );

  it('during a run leaves the recording of a callback that comes after it', async () => {
    const d = await archiving(whole);
    const other = d.startAnother();
    const happens = async (nth: number) => {
      if (nth === 2) await erase(d);
      if (nth !== 3) return;
      await d.post(summary.withRecording(second).withDisposition('Sale'));
      await d.settled();
      d.requestArchiving(message);
      await d.archive(other);
    };
    await d.before('dynamodb', { operation: 'Query' }, happens).during(() => d.archive());
    await untilDone(d);

    expect([...d.recordings().objects.keys()]).toEqual([keyOf(second)]);
  });
});

it('names a problem that only a newer version knows', () => {
  expect(textOfProblem('from-a-newer-version' as never)).toBe('from-a-newer-version');
});

const [listedAt, startedAt, endedAt, firstReceivedAt] = [1, 2, 3, 4].map((day) => `2026-11-0${day}T23:00:00.000Z`);

it.each<[callId: string, times: Readonly<Record<string, unknown>>, place: string]>([
  ['1.2', { listedAt, startedAt, endedAt, firstReceivedAt }, '2026-11-01/1.2'],
  ['..', { startedAt, endedAt, firstReceivedAt }, '2026-11-02/%2E%2E'],
  ['.', { endedAt, firstReceivedAt }, '2026-11-03/%2E'],
  ['../a/..', { firstReceivedAt }, '2026-11-04/..%2Fa%2F..'],
])('the object of a call %j with the times %o is below its day, in a folder of its own: %s', (callId, times, place) => {
  expect(objectKeyOf({ account: 'demo', callId }, dayOf(times), 'id')).toBe(`demo/${place}/id`);
});
