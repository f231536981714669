import * as z from 'zod';
import type { MissedCalls } from '../../lib/client/index.ts';
import { WaitingCaller } from '../../lib/contract/missed-callers.ts';
import { keepLatest } from '../../lib/core/collections.ts';
import { filtersIn, selectionOf } from '../call-filters.ts';
import { matchingOf, missedStatesOf, rowsOf } from '../call-list.ts';
import { waitingOf } from '../waiting-callers.ts';
import { type ConsoleSettings, type ShownAccount, visible } from './accounts.ts';
import { type CallQuery, rangeOf, type ShownRange } from './calls.ts';

/** The ranges that are kept: tiles, states and callers of one range show the same numbers. */
const maxRanges = 12;

/** How long an answer is shown: a quarter of a minute, or where reading takes long, thirty times that. */
const [minAgeMs, shareOfReading] = [15_000, 30];

interface Reading {
  readonly done: Promise<MissedCalls>;
  /** Until when it is kept; it is shared by all who ask while it is under way. */
  untilMs: number;
  found?: MissedCalls;
}

/** What became of the missed calls of ranges. */
export const missedReader = ({ clock }: Pick<ConsoleSettings, 'clock'>) => {
  const kept = new Map<string, Reading>();

  const readingOf = ({ account, client }: ShownAccount, { from, to }: Pick<ShownRange, 'from' | 'to'>): Reading => {
    const key = `${account} ${from} ${to}`;
    const begunMs = clock().getTime();
    const before = kept.get(key);
    if (before !== undefined && begunMs < before.untilMs) return before;

    const read = async () => {
      const found = await client.missedCalls({ from, to });
      const readMs = clock().getTime();
      reading.found = found;
      reading.untilMs = readMs + Math.max(minAgeMs, shareOfReading * (readMs - begunMs));
      return found;
    };
    const reading: Reading = {
      done: read(),
      untilMs: Number.POSITIVE_INFINITY,
      ...(before?.found && { found: before.found }),
    };
    keepLatest(kept, key, reading, maxRanges);
    reading.done.catch(() => kept.get(key) === reading && kept.delete(key));
    return reading;
  };

  return {
    /** The missed calls of a range, as far as they were read: reading them all may take longer than a list may. */
    known: (account: ShownAccount, range: Pick<ShownRange, 'from' | 'to'>) => readingOf(account, range).found,
    of: (account: ShownAccount, range: Pick<ShownRange, 'from' | 'to'>) => readingOf(account, range).done,
  };
};

export type MissedReader = ReturnType<typeof missedReader>;

/** Who waits among the callers of the calls that the filters select, and what became of these calls. */
export const waitingReader =
  ({ clock }: Pick<ConsoleSettings, 'clock'>, missed: MissedReader) =>
  async (account: ShownAccount, query: CallQuery) => {
    const range = await rangeOf(account, query, clock());
    const found = await missed.of(account, range);
    const states = async () => missedStatesOf(found.calls);
    const matching = matchingOf(selectionOf(filtersIn(query)), { rowsOf: rowsOf(account.client), states });
    const { callers, ...figures } = await waitingOf(found, matching);
    return { now: clock().toISOString(), ...figures, callers: visible(account, z.array(WaitingCaller), callers) };
  };
