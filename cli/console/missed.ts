import * as z from 'zod';
import { maxPeriodDays } from '../../client/arguments.ts';
import type { MissedCalls } from '../../client/index.ts';
import { WaitingCaller } from '../../lib/contract/missed-callers.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import { missedStatesOf, rowsOf, selectionOf } from '../calls/call-list.ts';
import { filtersIn } from '../calls/set-filters.ts';
import { selectedOf, tooManyMissed } from '../calls/waiting-callers.ts';
import { Problem } from '../frame/problem.ts';
import { type ConsoleSettings, type ShownAccount, visible } from './accounts.ts';
import { type ConsoleCallQuery, rangeOf } from './call-query.ts';
import type { ListedRange } from './call-range.ts';
import { customerText } from './customer-text.ts';
import { keptReadings } from './kept-readings.ts';

/** The ranges that are kept: tiles, states and callers of one range show the same numbers. */
const maxRanges = 12;

/** An answer is kept at least this long. */
const leastMs = 15_000;

type Range = Pick<ListedRange, 'from' | 'to'> & Partial<Pick<ListedRange, 'asOf'>>;

const readFor = async ({ client, timeZone }: ShownAccount, { from, to, asOf }: Range): Promise<MissedCalls> => {
  // Where clocks are put back, the days are longer than 24 hours.
  if (secondsBetween(from, to) > (maxPeriodDays + 1) * 86_400)
    throw new Problem(
      `What became of missed calls is read of up to ${maxPeriodDays} days. Ask for a shorter range.`,
      2,
    );
  const found = await client.missedCalls({ from, to, asOf });
  if ('moreThan' in found) throw new Problem(tooManyMissed(found, timeZone));
  return found;
};

export const missedReader = ({ clock }: Pick<ConsoleSettings, 'clock'>) => {
  const readings = keptReadings<MissedCalls>(clock, maxRanges);
  const keyOf = ({ account }: ShownAccount, { from, to, asOf }: Range) => `${account} ${from} ${to} ${asOf}`;
  const whole = (account: ShownAccount, range: Range) =>
    readings.wanted(keyOf(account, range), leastMs, () => readFor(account, range));

  return {
    whole,
    wholeStates: async (account: ShownAccount, range: Range) => missedStatesOf((await whole(account, range)).calls),
    /** What the latest reading of a range has found so far: reading it all may take longer than a list may. */
    soFar: (account: ShownAccount, range: Range) =>
      readings.latest(keyOf(account, range), leastMs, () => readFor(account, range)),
  };
};

export type MissedReader = ReturnType<typeof missedReader>;

/** Who waits among the callers of the calls that the filters select, and what became of these calls. */
export const waitingReader =
  ({ clock }: Pick<ConsoleSettings, 'clock'>, missed: MissedReader) =>
  async (account: ShownAccount, query: ConsoleCallQuery) => {
    const range = rangeOf(account, query, clock());
    const found = await missed.whole(account, range);
    const states = async () => missedStatesOf(found.calls);
    const selection = selectionOf([filtersIn(query)], { rowsOf: rowsOf(account.client), states });
    const { waiting, calls, ...figures } = await selectedOf(found, selection);
    const callers = visible(account, z.array(WaitingCaller), waiting).map((caller) => ({
      ...caller,
      customerText: customerText(account, caller),
    }));
    return { now: clock().toISOString(), ...figures, missed: calls.length, callers };
  };
