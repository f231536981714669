import * as z from 'zod/mini';
import { mapValues } from '../../lib/core/collections.ts';
import { count } from '../../lib/storage/field.ts';
import { maxReportPageSize, type ReportAccess } from './call-report.ts';

/*
 * How far a day of the report is read, and what each page makes of that. Services differ: some give fewer records a page than
 * they are asked for, and state the day’s number of records beside them, or the page’s, or none. Records may move to another
 * page while the day is read.
 */

/** The records and calls of some pages. Completed calls may have moved to another day, if their time was unknown. */
const PageCounts = z.object({
  /** Distinct ones, also those that cannot be read. */
  records: count,
  calls: count,
  known: count,
  found: count,
  completed: count,
  unreadable: count,
  moved: z.optional(count),
});
type PageCounts = Readonly<z.infer<typeof PageCounts>>;

export const DayCounts = z.object({
  ...PageCounts.shape,
  /** How many requests brought them, where full pages would have been fewer or more. */
  pages: z.optional(count),
  /** The pages ended before all records of the day were read. */
  isCut: z.optional(z.boolean()),
  /** Of a day that was cut: its records by the service's own count, if it has stated that. */
  total: z.optional(count),
});
export type DayCounts = Readonly<z.infer<typeof DayCounts>>;

export const DayReading = z.object({
  /** The next page, counted from 1. */
  page: count,
  /** The records that the next page is asked for, where the first one had fewer than it was asked for. */
  pageSize: z.optional(count),
  soFar: PageCounts,
  /** Names of calls that were counted. The next page may have further legs of them. */
  counted: z.optional(z.readonly(z.array(z.string()))),
  /** Names of the records, each `rowNameLength` long. The next page may have some of them again. */
  rows: z.optional(z.string()),
  /** The day's records by the service's own count; 0 while it has stated none. */
  total: z.optional(count),
});
export type DayReading = Readonly<z.infer<typeof DayReading>>;

export const newReading: DayReading = {
  page: 1,
  soFar: { records: 0, calls: 0, known: 0, found: 0, completed: 0, unreadable: 0 },
};

/** No more calls are remembered, as a row has a limit and each write costs by its length. */
const maxCounted = 2_000;

/** As many records, in one text, are half of what a row may have. */
const maxRows = 30_000;

/** Names of 42 bits: among 10,000 records two share theirs once in 100,000 days. */
export const rowNameLength = 7;

/** What a page has beyond the pages before it, once that is stored. */
export interface StoredPage {
  /** Without the calls that were counted before. */
  readonly counts: PageCounts;
  readonly counted: readonly string[];
  readonly rows: string;
  /** How many of its records were on a page before. */
  readonly repeated: number;
  readonly written: number;
}

export interface ReadPage extends StoredPage {
  readonly total: number | undefined;
  readonly access: ReportAccess;
  /** Whether calls of the day still end, which adds records while it is read. */
  readonly isGrowing: boolean;
}

/** A page ends the reading of a day, or the next page is wanted. */
export const afterPageOfDay = (
  reading: DayReading,
  page: ReadPage,
): { readonly next: DayReading } | { readonly done: DayCounts } => {
  const sent = page.counts.records + page.repeated;
  const soFar = addCounts(reading.soFar, page.counts);
  const { total, expected } = totalsOf(reading, page, sent);
  const repeats = repeatsOf(reading, page);
  const isWhole = expected > 0 && soFar.records >= expected;
  if (page.access.form === 'whole' || sent === 0 || repeats !== undefined || isWhole)
    return { done: dayCounts(reading.page, soFar, { total, isCut: total === 0 && repeats === 'partly' }) };

  // A service may count its pages by what it is asked for or by what it gives: from now on both are the same.
  const pageSize = reading.page === 1 && sent < maxReportPageSize ? sent : reading.pageSize;
  const next = {
    page: reading.page + 1,
    soFar,
    total,
    counted: [...(reading.counted ?? []), ...page.counted].slice(-maxCounted),
    rows: `${reading.rows ?? ''}${page.rows}`.slice(-maxRows * rowNameLength),
  };
  return { next: pageSize === undefined ? next : { ...next, pageSize } };
};

const dayCounts = (
  page: number,
  soFar: PageCounts,
  { total, isCut }: { readonly total: number; readonly isCut: boolean },
): DayCounts => {
  const counts = page === fullPages(soFar) ? soFar : { ...soFar, pages: page };
  if (soFar.records < total) return { ...counts, isCut: true, total };
  return isCut ? { ...counts, isCut } : counts;
};

const fullPages = ({ records }: PageCounts): number => Math.max(1, Math.ceil(records / maxReportPageSize));

/** How many requests a day took. */
export const pagesOf = (counts: DayCounts): number => counts.pages ?? fullPages(counts);

const addCounts = ({ moved = 0, ...a }: PageCounts, { moved: more = 0, ...b }: PageCounts): PageCounts => ({
  ...mapValues(a, (value, name) => value + b[name]),
  ...(moved + more > 0 && { moved: moved + more }),
});

/** The records that the day should have, and those for which it is read on; 0 while no page has stated any. */
const totalsOf = (reading: DayReading, page: ReadPage, sent: number) => {
  const stated = statedTotal(reading, page, sent);
  const before = reading.total ?? 0;
  // A record that is added to pages that were read pushes others to the next one, and is itself on none that is to come.
  const total = page.isGrowing && before > 0 ? before : Math.max(before, stated);
  return { total, expected: Math.max(total, stated) };
};

/**
 * The day's records as a page states them, or 0. A number that is no larger than the page may be that of the page. It is one of
 * the day where the only page has neither as many records as it was asked for, nor a round number, as limits have.
 */
const statedTotal = ({ page }: DayReading, { total = 0 }: ReadPage, sent: number): number => {
  if (total > sent) return total;
  const isOfDay = page === 1 && total === sent && sent < maxReportPageSize && sent % 10 !== 0;
  return isOfDay ? total : 0;
};

/**
 * Whether most of a page was read before. A service that knows no pages sends all records again, with those that were added.
 * Where only a part comes again, nobody knows what lies behind it.
 */
const repeatsOf = ({ rows = '' }: DayReading, { counts, repeated }: ReadPage): 'wholly' | 'partly' | undefined => {
  if (repeated <= counts.records) return undefined;
  return counts.records === 0 || repeated * rowNameLength >= rows.length ? 'wholly' : 'partly';
};
