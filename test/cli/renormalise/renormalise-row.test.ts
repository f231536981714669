import { describe, expect, it } from 'vitest';
import { renormaliseRow } from '../../../cli/renormalise/renormalise-row.ts';
import { factsOf, rowOf } from '../../../lib/calls/call-row.ts';
import { deliveryOf } from '../../../lib/calls/merge-deliveries.ts';
import { recordDelivery } from '../../../lib/calls/record-delivery.ts';
import { compressText } from '../../../lib/core/encoding.ts';
import type { Row, VersionedRows } from '../../../lib/storage/rows.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { specificationParticipant as participant, specificationSummary as summary } from '../../fixtures/calls.ts';
import { generousDeadline, memoryVersionedRows } from '../../support/memory-ports.ts';
import { deliveryAt, normalisedRecords, recordedAt, recordFrom } from '../../support/posted-records.ts';

const clock = () => new Date(recordedAt);
const inLondon = { ...demoAccount, timeZone: 'Europe/London' } as never;

/** A table with what these records make, received one after the other. */
const tableOf = async (...records: readonly object[]) => {
  const rows = memoryVersionedRows();
  const record = recordDelivery({ rows, clock, retentionDays: 9 });
  for (const [second, one] of records.entries())
    for (const { key, delivery } of normalisedRecords([one], undefined, `2026-11-20T06:00:0${second}.000Z`).deliveries)
      await record(key, delivery, generousDeadline());
  return {
    rows,
    stored: () => rows.select().filter(({ kind }) => kind !== 'agent-entry'),
    entries: () => rows.select().filter(({ kind }) => kind === 'agent-entry'),
  };
};

const again = (rows: VersionedRows, isDryRun = false, account = inLondon) => {
  const run = renormaliseRow({ rows, isDryRun, clock: () => new Date('2026-12-01T00:00:00.000Z'), retentionDays: 9 });
  return (row: Row) => run(row, account, generousDeadline());
};

describe('renormalise', () => {
  it('makes one revision in a corrected time zone, and nothing when it is done again', async () => {
    const { rows, stored } = await tableOf(summary, { ...summary, Disposition: 'Sale' }, participant);
    const changed: (readonly string[])[] = [];
    for (const row of stored()) changed.push((await again(rows)(row)).changedFields);

    const times = ['startedAt', 'timeZone'];
    expect(changed).toEqual([
      ['endedAt', ...times, 'agentPhoneNumberE164', 'customerNumberE164', 'dialledNumberE164'],
      ['endedAt', 'pickedUpAt', ...times, 'participantNumberE164'],
    ]);
    const start = '2026-11-20T11:00:00.000Z';
    expect(stored()).toMatchObject([
      {
        revision: 3,
        version: 3,
        startedAt: start,
        listedAt: start,
        dispositions: ['Sale'],
        recordedAt: '2026-12-01T00:00:00.000Z',
        deliveries: [{ differences: { dispositions: null } }, {}],
      },
      { revision: 2, startedAt: '2026-11-20T11:00:02.000Z' },
    ]);
    const once = stored();
    for (const row of once) expect(await again(rows)(row)).toMatchObject({ changedFields: [] });
    expect(stored()).toEqual(once);
  });

  it('corrects calls and participants by words that were added to the account, as if they had been known', async () => {
    const posted = { ...summary, Status: 'Abandoned', AgentStatus: 'gone home -> answered' };
    const { rows, stored } = await tableOf(posted, { ...participant, DialStatus: 'Gone home' });
    expect(stored()).toMatchObject([
      { status: 'unknown', statusAsSent: 'Abandoned', agentStatuses: ['unknown', 'answered'] },
      { dialStatus: 'unknown' },
    ]);
    const gone = { 'Gone Home': 'no-response' };
    const words = { status: { abandoned: 'not-answered' }, agentStatuses: gone, dialStatus: gone };
    const changed: (readonly string[])[] = [];
    for (const row of stored())
      changed.push((await again(rows, false, { ...demoAccount, words } as never)(row)).changedFields);

    expect(changed).toEqual([
      ['agentStatuses', 'agentStatusesAsSent', 'status', 'statusAsSent'],
      ['dialStatus', 'dialStatusAsSent'],
    ]);
    expect(stored()).toMatchObject([
      { revision: 2, status: 'not-answered', agentStatuses: ['no-response', 'answered'] },
      { revision: 2, dialStatus: 'no-response' },
    ]);
    expect(stored().flatMap((row) => Object.entries(factsOf(row)).join())).not.toContainEqual(
      expect.stringMatching(/unknown|AsSent/),
    );
  });

  it('finds the row of calls whose ids were rounded to one number, and leaves it its key', async () => {
    const callId = '1.2345678901235e+19';
    const { rows, stored } = await tableOf();
    for (const agent of ['asha', 'ravi']) {
      const asSent = compressText(`{"monitorUCID":${callId},"AgentID":"${agent}"}`);
      const delivery = deliveryOf({ agentIds: [agent], timeZone: 'Asia/Kolkata' }, { receivedAt: recordedAt, asSent });
      const key = { kind: 'call', account: 'demo', callId } as const;
      await recordDelivery({ rows, clock, retentionDays: 9 })(key, delivery, generousDeadline());
    }
    const [row] = stored();

    expect(await again(rows, true, demoAccount as never)(row as Row)).toMatchObject({ changedFields: ['notes'] });
    await again(rows, false, demoAccount as never)(row as Row);
    expect(stored()).toMatchObject([
      { callId, revision: 2, notes: [{ reason: 'fallback-identity', asSent: callId }, { reason: 'rounded-id' }] },
    ]);
  });

  it('keeps the first id of a delivery that changes, while deliveries are forwarded', async () => {
    const { rows, stored } = await tableOf(summary, { ...summary, Status: 'Abandoned' });
    const deliveries = () =>
      stored().flatMap((row) => row['deliveries'] as { readonly id: string; readonly formerId?: string }[]);
    const formerIdsBy = async (rules: object) => {
      const account = { ...demoAccount, words: { status: { abandoned: 'not-answered' } }, ...rules };
      for (const row of stored()) await again(rows, false, account as never)(row);
      return deliveries().map(({ formerId }) => formerId);
    };
    const [answered, abandoned] = deliveries().map(({ id }) => id);
    const forwardTo = ['https://old.example/'];

    expect(await formerIdsBy({ forwardTo })).toEqual([undefined, abandoned]);
    expect(await formerIdsBy({ forwardTo, timeZone: 'Europe/London' })).toEqual([answered, abandoned]);
    expect(await formerIdsBy({ timeZone: 'UTC' })).toEqual([undefined, undefined]);
  });

  it('finds a repeat of a post again, as if it had come after the correction', async () => {
    const { rows, stored } = await tableOf(summary);
    for (const row of stored()) await again(rows)(row);
    const record = recordDelivery({ rows, clock, retentionDays: 9 });
    const [repeat] = normalisedRecords([summary], inLondon).deliveries;

    expect(await record(repeat?.key as never, repeat?.delivery as never, generousDeadline())).toBe('duplicate');
  });

  const inNewYork = { ...demoAccount, timeZone: 'America/New_York' } as never;
  const fold = { StartTime: '2026-11-01 00:50:00', EndTime: '2026-11-01 01:40:00', CallDuration: '01:50:00' };
  const asPosted = demoAccount as never;
  const read = { endedAt: '2026-11-01T05:40:00.000Z' };
  it.each<[what: string, posted: object, before: object, account: never, changed: readonly string[]]>([
    ['a start that was never set', { StartTime: '1970-01-01 05:30:00' }, {}, asPosted, ['notes', 'startedAt']],
    ['an absurd duration', { Duration: '838:59:59' }, {}, asPosted, ['durationSeconds', 'notes']],
    ['a sum among undocumented fields', { TotalHandlingTime: '00:02:00' }, {}, asPosted, ['handleSeconds']],
    ['the repeated hour', fold, read, inNewYork, ['endedAt']],
  ])('mends %s in a row of before, by one revision', async (_what, posted, before, account, changed) => {
    const { rows, stored } = await tableOf();
    const [keyed] = normalisedRecords([{ ...summary, ...posted }], account, '2026-11-20T06:00:00.000Z').deliveries;
    const delivery = { ...keyed?.delivery, facts: { ...keyed?.delivery.facts, ...before } } as never;
    const record = { ...recordFrom([delivery], keyed?.key), facts: Object(delivery).facts };
    await rows.putNextVersion({ ...rowOf(record, 9), version: 1 }, { puts: [], removes: [] }, generousDeadline());

    expect(await again(rows, true, account)(stored()[0] ?? {})).toMatchObject({ changedFields: changed });
    await again(rows, false, account)(stored()[0] ?? {});
    const mended = stored();
    expect(mended).toMatchObject([{ revision: 2 }]);
    expect(await again(rows, false, account)(mended[0] ?? {})).toMatchObject({ changedFields: [] });
    const repeat = recordDelivery({ rows, clock, retentionDays: 9 });
    await repeat(keyed?.key as never, keyed?.delivery as never, generousDeadline());
    expect(stored()).toEqual(mended);
  });

  it('writes nothing in a dry run, and says what would change', async () => {
    const { rows, stored } = await tableOf(summary);
    const before = stored();

    expect(await again(rows, true)(before[0] ?? {})).toMatchObject({
      changedFields: expect.arrayContaining(['startedAt']),
    });
    expect(stored()).toEqual(before);
  });

  const a = 'https://r.example/a';
  const b = 'https://r.example/b';
  const one = `${a}?sv=1&sig=1`;
  const two = `${a}?sv=1&sig=2`;
  const noLink = { field: 'recordings', reason: 'no-link', asSent: 'N/A' };
  it.each<[string, string, readonly string[], object]>([
    ['a gap that destroyed a link', `${a},,${b}`, [`${a},`, b], { recordings: [a, b] }],
    ['a word that was taken for a link', 'N/A', ['N/A'], { notes: [noLink] }],
    ['the link of one recording, signed twice', `${one},${two}`, [one, two], { recordings: [two] }],
  ])('corrects %s', async (_what, AudioFile, recordings, expected) => {
    const { rows, stored } = await tableOf();
    const [read] = normalisedRecords([{ ...summary, AudioFile }]).deliveries;
    const { notes: _notes, ...facts } = { ...read?.delivery.facts };
    const before = { ...deliveryAt({ ...facts, recordings }, recordedAt), asSent: read?.delivery.asSent ?? '' };
    const record = recordFrom([before]);
    // As a row of an earlier release has it.
    const row = { ...rowOf(record, 9), recordings, version: 1 };
    await rows.putNextVersion(row, { puts: [], removes: [] }, generousDeadline());
    const planned = await again(rows, true, asPosted)(stored()[0] ?? {});
    await again(rows, false, asPosted)(stored()[0] ?? {});

    expect(planned.changedFields).toContain('recordings');
    expect(stored()).toMatchObject([{ revision: 2, ...expected }]);
    expect(await again(rows, true, asPosted)(stored()[0] ?? {})).toMatchObject({ changedFields: [] });
  });

  it('makes no revision where only deliveries become the same one by rules that have learnt', async () => {
    const [known] = normalisedRecords([summary]).deliveries;
    const asSent = known?.delivery.asSent ?? '';
    const facts = { ...known?.delivery.facts, status: 'unknown', statusAsSent: 'Answered' };
    const unknown = { ...deliveryAt(facts, '2026-11-20T06:00:00.000Z'), asSent };
    const { rows, stored } = await tableOf();
    const record = recordFrom([unknown, { ...known?.delivery, receivedAt: '2026-11-20T06:00:01.000Z' } as never]);
    await rows.putNextVersion({ ...rowOf(record, 9), version: 1 }, { puts: [], removes: [] }, generousDeadline());

    expect(await again(rows, false, asPosted)(stored()[0] ?? {})).toMatchObject({
      changedFields: ['deliveries'],
      isRevised: false,
    });
    expect(stored()).toMatchObject([
      { revision: record.revision, version: 2, recordedAt: record.recordedAt, deliveries: [{}] },
    ]);
  });

  it('keeps a delivery whose text is no record', async () => {
    const record = recordFrom([{ ...deliveryAt({ status: 'answered' }, recordedAt), asSent: compressText('7') }]);
    const { rows } = await tableOf();

    expect(await again(rows)(rowOf(record, 9))).toMatchObject({ record });
  });

  it('gives it the account’s country, which counts for the numbers of the call', async () => {
    const facts = { dialledNumber: '07700900674', timeZone: 'Asia/Kolkata' };
    const erasure = { ...deliveryAt(facts, recordedAt), asSent: compressText('erased') };
    const { rows, stored } = await tableOf();
    const row = { ...rowOf(recordFrom([{ ...erasure, country: 'IN' }]), 9), version: 1 };
    await rows.putNextVersion(row, { puts: [], removes: [] }, generousDeadline());
    const numberIn = async (country: string | undefined) => {
      await again(rows, false, { ...demoAccount, country } as never)(stored()[0] ?? {});
      return stored().map(({ revision, dialledNumberE164 }) => [revision, dialledNumberE164]);
    };

    expect(stored()).toMatchObject([{ dialledNumberE164: '+917700900674' }]);
    expect(await numberIn('GB')).toEqual([[1, '+447700900674']]);
    expect(await numberIn(undefined)).toEqual([[1, '+917700900674']]);
  });

  it('lists the call under the agents that it has by today’s rules', async () => {
    const { rows, stored, entries } = await tableOf({ ...summary, AgentID: 'a -> b' });
    const [row = {}] = stored();
    const facts = { ...row, agentIds: ['a', 'c'], deliveries: row['deliveries'] };
    await rows.putNextVersion(
      { ...facts, version: 2 } as never,
      { puts: [{ ...entries()[0], sk: 'c' } as never], removes: entries() as never },
      generousDeadline(),
    );
    await again(rows)(stored()[0] ?? {});

    expect(stored()).toMatchObject([{ agentIds: ['a', 'b'] }]);
    expect(entries().map(({ sk }) => sk)).toEqual(['b']);
  });

  it('starts from the row as it is where somebody else was first', async () => {
    const { rows, stored } = await tableOf(summary);
    const [early = {}] = stored();
    const record = recordDelivery({ rows, clock, retentionDays: 9 });
    const [later] = normalisedRecords([{ ...summary, Disposition: 'Sale' }]).deliveries;
    await record(later?.key as never, later?.delivery as never, generousDeadline());

    expect((await again(rows)(early)).changedFields).toContain('startedAt');
    expect(stored()).toMatchObject([{ revision: 3, dispositions: ['Sale'], startedAt: '2026-11-20T11:00:00.000Z' }]);
  });

  it('tries again what a conflict does not show, and throws where the table rejects the row', async () => {
    const { rows, stored } = await tableOf(summary);
    const [row = {}] = stored();
    let tries = 0;
    const hesitant: VersionedRows = {
      putNextVersion: async (...put) => {
        tries += 1;
        return tries === 1 ? { kind: 'conflict', row: undefined } : rows.putNextVersion(...put);
      },
    };
    const rejecting: VersionedRows = { putNextVersion: async () => ({ kind: 'rejected' }) };

    await expect(again(rejecting)(row)).rejects.toThrow('The table rejects the row');
    expect((await again(hesitant)(row)).changedFields).toContain('startedAt');
    expect([tries, stored()]).toMatchObject([2, [{ revision: 2 }]]);
  });
});
