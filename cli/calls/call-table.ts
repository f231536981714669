import * as z from 'zod/mini';
import type { InstantRange } from '../../client/arguments.ts';
import type { ListedCall, Numbering } from '../../client/index.ts';
import { Call, ListedCall as ListedCallRow } from '../../lib/contract/rows.ts';
import { lastedSecondsOf, outcomeText } from '../../lib/contract/rules.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { e164 } from '../../lib/telephony/e164.ts';
import { countryOfZone } from '../../lib/telephony/zone-countries.ts';
import { redacted } from '../frame/redact.ts';
import { csvTable, durationText, joined, localText, printTable } from '../frame/report.ts';
import type { Terminal } from '../frame/terminal.ts';
import type { CallFilters } from './call-filters.ts';
import type { Found } from './call-list.ts';

const columns = {
  listedAt: 'TIME',
  callId: 'CALL',
  type: 'TYPE',
  status: 'STATUS',
  time: 'LASTED',
  agents: 'AGENTS',
  skillName: 'SKILL',
  campaignName: 'CAMPAIGN',
  dispositions: 'DISPOSITIONS',
};
const personalColumns = { customerNumber: 'CUSTOMER', names: 'NAMES' };

export const callTable = (
  terminal: Terminal,
  calls: readonly ListedCall[],
  { timeZone, showPersonal }: { readonly timeZone: string; readonly showPersonal: boolean },
): void => {
  const recorded = calls.some(({ firstRecordedAt }) => firstRecordedAt !== undefined) && {
    firstRecordedAt: 'RECORDED',
  };
  const rows = calls.map((call) => rowOf(call, timeZone));
  printTable(terminal, { ...recorded, ...columns, ...(showPersonal && personalColumns) }, rows);
};

const rowOf = (
  { agentIds, agentNames, dispositions, listedAt, firstRecordedAt, ...call }: ListedCall,
  timeZone: string,
) => {
  const lasted = lastedSecondsOf(call);
  return {
    ...call,
    status: outcomeText(call),
    listedAt: localText(listedAt, timeZone),
    firstRecordedAt: firstRecordedAt && localText(firstRecordedAt, timeZone),
    time: lasted === undefined ? undefined : durationText(lasted),
    agents: joined(agentIds),
    dispositions: joined(dispositions),
    names: joined(agentNames),
  };
};

/** A line of the CSV. Lists have no number in E.164, so that is made of the number and the country that decides whose it is. */
const CsvCall = z.extend(ListedCallRow, { customerNumberE164: Call.shape.customerNumberE164 });
type CsvCall = z.infer<typeof CsvCall>;

/** Prints the head of a list in CSV at once, and calls as they come. */
export const callsCsv = (
  terminal: Pick<Terminal, 'print'>,
  { country, showPersonal }: Pick<Numbering, 'country'> & { readonly showPersonal: boolean },
): ((calls: readonly ListedCall[]) => void) => {
  const print = csvTable(terminal, keysOf(CsvCall.shape));
  return (calls) => {
    const lines = calls.map(
      (call): CsvCall => ({
        ...call,
        customerNumberE164: e164(call.customerNumber ?? '', country ?? countryOfZone(call.timeZone)),
      }),
    );
    print(showPersonal ? lines : redacted(z.array(CsvCall), lines));
  };
};

/** Names are compared letter by letter, and a misspelt one finds nothing. */
const spellingQuestion =
  ' If there should be some: is the account spelt as in the secret, and every other name as it was sent?';

interface ListOptions {
  readonly account?: string | undefined;
  readonly cursor?: string | undefined;
  readonly since?: object | undefined;
}

interface Summarised extends CallFilters, ListOptions {
  readonly isFiltered?: boolean;
  /** The range that was read, where the options name another one with each run: a cursor is of one range. */
  readonly moving?: InstantRange | undefined;
}

export const listSummary = ({ found, read, next }: Found, listed: Summarised): string => {
  const { account, agent, customer, skill, campaign, cursor, since, moving, isFiltered = false } = listed;
  const ofRead = isFiltered ? ` of ${read} read` : '';
  const limits = Object.entries(moving ?? {}).flatMap(([name, at]) => (at === undefined ? [] : [`--${name} ${at}`]));
  const range = limits.length === 0 ? '' : `, ${limits.join(' ')}${since === undefined ? '' : ' in place of --since'}`;
  const more = next === undefined ? '' : ` More with the same options${range} and --cursor ${next}`;
  const hasName = (account ?? agent ?? customer ?? skill ?? campaign) !== undefined;
  const question = found === 0 && hasName && cursor === undefined ? spellingQuestion : '';
  return `${found} listed${ofRead}.${more}${question}`;
};
