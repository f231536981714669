import { fileLines, sandboxEvents } from '../events/event-lines.ts';
import { forwardingBacklog } from '../forwarding/forwarding.ts';
import type { Deployment } from '../frame/deployment.ts';
import type { StatusPart } from '../frame/feature.ts';
import { inspectAccounts, readersOf } from './accounts.ts';
import { type Gap, type Inspection, lookAt, type PartFindings, partOf, progressPrinter } from './gaps.ts';
import { findParked } from './parked.ts';
import { publicationGaps, readRevisions, unpublishedOf } from './publication.ts';
import { findQuarantined } from './quarantined.ts';
import type { VerifyOptions } from './verify-options.ts';

export const inspect = async (deployment: Deployment, run: Inspection, options: VerifyOptions, now: Date) => {
  const readers = await readersOf(deployment, run, options, now);
  const limits = readers.flatMap(({ range: { from, to } }) => [from, to]).sort();
  const range = { from: limits[0] ?? '', to: limits.at(-1) ?? '' };
  const of = { deployment, location: options, accounts: readers.map(({ account }) => account), range };
  const progress = (what: string) => progressPrinter(run, what);
  const forwarded = forwardingBacklog(deployment);
  const [accounts, ...parts] = await Promise.all([
    inspectAccounts(run, readers),
    partOf(run, 'parked', 'dead letters', findParked(of, progress('Dead letters read'))),
    partOf(run, 'quarantine', 'posts in quarantine', findQuarantined(of, progress('Rows of quarantine read'))),
    ...(forwarded === undefined ? [] : [partOf(run, forwarded.name, forwarded.name, findWaiting(forwarded))]),
  ]);
  // Read after the rows, so that the event of each revision read can be among them.
  const lines = eventLines(deployment, options, run.stop);
  const { value: events, gaps: ofEvents } =
    lines === undefined
      ? { gaps: [noEvents] }
      : await lookAt(run, 'events', readRevisions(lines, progress('Lines with events read')));
  const unpublished = events === undefined ? [] : accounts.flatMap(({ rows = [] }) => unpublishedOf(rows, events));
  const gaps: readonly Gap[] = [
    ...accounts.flatMap((account) => account.gaps),
    ...accounts.flatMap((account) => account.parts.flatMap((part) => part.gaps)),
    ...ofEvents,
    ...publicationGaps(unpublished, options, now),
    ...parts.flatMap((part) => part.gaps),
  ];
  return { accounts, range, events, unpublished, parts, gaps };
};
export type Findings = Awaited<ReturnType<typeof inspect>>;

/** What waits is no gap. It is noted if there is any. */
const findWaiting = async ({ title, read }: StatusPart): Promise<PartFindings> => {
  const { json, text, count } = await read();
  return { json, gaps: [], ...(count > 0 && { note: `${title}, of any range: ${text}.` }) };
};

const noEvents: Gap = {
  what: 'nothing to compare the publication with: the bus stores no events',
  remedy: {
    again: { events: 'events.jsonl' },
    when: 'with a file of what a subscriber got, or the archive sends again (docs/command-line.md, Verify)',
  },
};

const eventLines = (
  { bus }: Deployment,
  { events }: VerifyOptions,
  signal: AbortSignal,
): AsyncIterable<string> | undefined => {
  if (events !== undefined) return fileLines(events);
  return bus.kind === 'sandbox' ? sandboxEvents(bus.eventsAddress, { follow: false, signal }) : undefined;
};
