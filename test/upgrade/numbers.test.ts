import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { renormaliseRow } from '../../cli/renormalise/renormalise-row.ts';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import { deployment, reportOf } from '../deployment/index.ts';
import { kolkataAccount } from '../fixtures/accounts.ts';
import { generousDeadline } from '../support/memory-ports.ts';
import type { Row } from './releases.ts';

/**
 * What commit 30909600, which read numbers by the short tables, made of posts and reports of 15 days with numbers in every
 * decoration: the posts in their order, a second apart, the records of the reports, and the rows of the Calls table.
 */
const { posts, report, rows } = JSON.parse(
  gunzipSync(readFileSync(new URL('numbers-at-30909600.json.gz', import.meta.url))).toString(),
) as {
  readonly posts: readonly unknown[];
  readonly report: Readonly<Record<string, readonly object[]>>;
  readonly rows: readonly Row[];
};

const isCall = ({ kind }: Row): boolean => kind === 'call' || kind === 'participant';
const lastReceipt =
  rows
    .filter(isCall)
    .map(({ lastReceivedAt }) => String(lastReceivedAt))
    .toSorted()
    .at(-1) ?? '';

const stored = async () => {
  const d = await deployment({
    accounts: [kolkataAccount],
    startedAt: lastReceipt,
    service: { report: [reportOf(report)] },
  });
  for (const row of rows) await d.put('calls', row);
  await d.settled();
  d.advance(60_000);
  return d;
};

const numberFields = [
  'agentPhoneNumberE164',
  'customerNumberE164',
  'dialledNumberE164',
  'participantNumberE164',
  'legs',
];

/** What shows a revision. */
const revisionsIn = (some: readonly Row[]) =>
  some.map(({ pk, sk, kind, revision, deliveries }) => ({ pk, sk, kind, revision, deliveries }));

describe('rows whose numbers an earlier release read', () => {
  it('are calls of every day of 15, from posts and from the report', () => {
    expect(Object.keys(report)).toHaveLength(15);
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter(({ source }) => source === 'report').length).toBeGreaterThan(5);
  });

  it('get no revision and no event when each post comes again and each day is read again', async () => {
    const d = await stored();
    const before = d.published().length;
    const replies: unknown[] = [];
    for (const post of posts) replies.push(await d.post(post));
    await d.reconcile({ kind: 'start', account: 'demo', run: 'again', days: Object.keys(report) });
    await d.settled();

    expect(replies.filter((reply) => Object(reply).stored !== 0)).toEqual([]);
    expect(d.published().slice(before)).toEqual([]);
    expect(revisionsIn(await d.rows('calls'))).toEqual(revisionsIn(rows));
  });

  it('get their numbers by `renormalise`, without a revision or an event, and once', async () => {
    const d = await stored();
    const before = d.published().length;
    const change = renormaliseRow({
      isDryRun: false,
      clock: () => new Date(d.now()),
      rows: dynamoVersionedRows(d.dynamodb, d.tables.calls),
      retentionDays: 730,
    });
    const account = { ...kolkataAccount, country: undefined };
    const renormaliseAll = async () => {
      const changed: string[] = [];
      for (const row of (await d.rows('calls')).filter(isCall)) {
        const { changedFields } = await change(row, account, generousDeadline());
        if (changedFields.length > 0) changed.push(changedFields.join(' '));
      }
      return changed;
    };
    const changed = await renormaliseAll();
    await d.settled();

    expect(new Set(changed.flatMap((fields) => fields.split(' ')))).toEqual(new Set(numberFields));
    expect(changed).toHaveLength(56);
    expect(await renormaliseAll()).toEqual([]);
    expect(d.published().slice(before)).toEqual([]);
    expect(revisionsIn(await d.rows('calls'))).toEqual(revisionsIn(rows));
  });
});
