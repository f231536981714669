import * as z from 'zod';
import { recordOf } from '../../lib/calls/call-row.ts';
import { batches } from '../../lib/core/collections.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { commandLine, type DeploymentLocation } from '../frame/deployment.ts';
import type { Reader } from '../frame/reader.ts';
import { rowsOfCall } from '../frame/rows.ts';
import { counted } from '../frame/texts.ts';
import { type CallInspection, type Gap, gapOf, type VerifiedRange } from './gaps.ts';

export interface VerifiedRow extends Revision {
  readonly recordedAt: string;
}

const concurrency = 20;

export const readVerifiedRows = async (
  { deployment, account, client }: Reader,
  { from, to }: VerifiedRange,
  { onCall, onProgress }: { readonly onCall: CallInspection['onCall']; readonly onProgress: (calls: number) => void },
) => {
  const found = new Map<string, string>();
  for (const list of [client.calls({ from, to }), client.calls({ recordedFrom: from, recordedTo: to })])
    for await (const { callId, listedAt } of list) onProgress(found.set(callId, listedAt).size);

  const rows: VerifiedRow[] = [];
  // The ids of calls with a row that Callfeed did not write.
  const unreadable = new Set<string>();
  const readCall = async ([callId, listedAt]: readonly [string, string]) => {
    const all = await rowsOfCall(deployment, { account, callId });
    onCall({ account, callId, listedAt }, all);
    return all.map((row) => ({ callId, verified: verifiedRow(row) }));
  };
  let calls = 0;
  for (const batch of batches([...found], ({ length }) => length < concurrency)) {
    for (const { callId, verified } of (await Promise.all(batch.map(readCall))).flat())
      if (verified === undefined) unreadable.add(callId);
      else rows.push(verified);
    calls += batch.length;
    onProgress(calls);
  }
  return { calls, rows, unreadable: [...unreadable], gaps: rowGaps([...unreadable]) };
};

const verifiedRow = (row: Row): VerifiedRow | undefined => {
  try {
    const { key, revision, recordedAt } = recordOf(row);
    return { ...key, revision, recordedAt };
  } catch {
    return undefined;
  }
};

const rowGaps = (unreadable: readonly string[]): readonly Gap[] =>
  gapOf(unreadable.length, {
    what: `${counted(unreadable.length, 'call')} with a row that has no event: Callfeed did not write it`,
    ids: unreadable,
    remedy: '“Rows skipped” in docs/runbook.md',
  });

export interface Unpublished {
  readonly row: VerifiedRow;
  readonly revisions: readonly number[];
}

export const unpublishedOf = (
  rows: readonly VerifiedRow[],
  published: Awaited<ReturnType<typeof readRevisions>>,
): readonly Unpublished[] =>
  rows
    .map((row) => {
      const all = Array.from({ length: row.revision }, (_, index) => index + 1);
      return { row, revisions: all.filter((revision) => !published.has({ ...row, revision })) };
    })
    .filter(({ revisions }) => revisions.length > 0);

/** Events of younger rows may be on their way. */
const publishedWithinMs = 60_000;

export const publicationGaps = (
  unpublished: readonly Unpublished[],
  location: DeploymentLocation,
  now: Date,
): readonly Gap[] => {
  const isYoung = ({ row }: Unpublished) => Date.parse(row.recordedAt) > now.getTime() - publishedWithinMs;
  const young = unpublished.filter(isYoung);
  const lost = Map.groupBy(
    unpublished.filter((one) => !isYoung(one)),
    ({ row }) => row.account,
  );
  return [
    ...[...lost].map(([account, rows]) => lostGap(account, rows, location)),
    ...gapOf(young.length, {
      what: `${counted(young.length, 'row')} recorded less than a minute ago and not published yet`,
      ids: young.map(nameOf),
      remedy: { again: {}, when: 'in a minute' },
    }),
  ];
};

const lostGap = (account: string, rows: readonly Unpublished[], location: DeploymentLocation): Gap => {
  const times = rows.map(({ row }) => row.recordedAt).sort();
  const revisions = rows.reduce((sum, one) => sum + one.revisions.length, 0);
  const older = rows.flatMap(({ row, revisions: all }) => all.filter((one) => one < row.revision)).length;
  const end = new Date(Date.parse(times.at(-1) ?? '') + 1).toISOString();
  return {
    what: `${counted(revisions, 'revision')} without an event${older > 0 ? `, ${older} of them replaced by a later one, which a replay does not send` : ''}`,
    ids: rows.map(nameOf),
    remedy: commandLine(location, 'replay', '--from', times[0] ?? '', '--to', end, '--account', account),
  };
};

const nameOf = ({ row, revisions }: Unpublished): string =>
  `${row.callId}${row.participantId === undefined ? '' : ` participant ${row.participantId}`} revision ${revisions.join(', ')}`;

const Revision = z.object({
  account: z.string(),
  callId: z.string(),
  participantId: z.string().optional(),
  revision: z.int().positive(),
});
type Revision = z.infer<typeof Revision>;

const Event = z.object({ detail: z.looseObject({}) });
/** The detail of an event that is of no call. */
const OtherEvent = z.object({ schemaVersion: z.number(), account: z.string() });

/** Text in which subscribers and AWS wrap an event: a message of SQS or SNS, and an entry of CloudWatch Logs. */
const Wrapped = z.union(
  ['body', 'Body', 'Message', 'message'].map((name) =>
    z.looseObject({ [name]: z.string() }).transform((wrap) => String(wrap[name])),
  ),
);

/** A log may wrap an event in an entry, and that in a message. */
const maxWraps = 3;

/** The event's detail in a line, if any: the event or its detail alone, in a message or log entry, even after other text. */
const detailIn = (line: string, wraps = 0): unknown => {
  const value = tryParseJson(line.slice(Math.max(0, line.indexOf('{'))));
  const event = Event.safeParse(value);
  if (event.success) return event.data.detail;
  const wrapped = Wrapped.safeParse(value);
  return wrapped.success && wraps < maxWraps ? detailIn(wrapped.data, wraps + 1) : value;
};

const keyOf = ({ account, callId, participantId, revision }: Revision): string =>
  JSON.stringify([account, callId, participantId ?? null, revision]);

export const readRevisions = async (lines: AsyncIterable<string>, onProgress: (lines: number) => void) => {
  const found = new Set<string>();
  let read = 0;
  let events = 0;
  let otherLines = 0;
  for await (const line of lines) {
    read += 1;
    onProgress(read);
    if (line.trim() === '') continue;
    const value = detailIn(line);
    const detail = Revision.safeParse(value);
    if (detail.success) {
      events += 1;
      found.add(keyOf(detail.data));
    } else if (!OtherEvent.safeParse(value).success) otherLines += 1;
  }
  const has = (revision: Revision) => found.has(keyOf(revision));
  return { has, events, otherLines, gaps: [] };
};
