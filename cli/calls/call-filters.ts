import type { CallToCount } from '../../client/call-figures.ts';
import {
  type AgentPart,
  agentsOfCall,
  type Counts,
  callDurations,
  countsByWord,
  countTest,
  type DurationName,
  defaultCountSettings,
  durationOf,
} from '../../lib/contract/call-counts.ts';
import type { ListedCall } from '../../lib/contract/rows.ts';
import { type MissedState, missedStates } from '../../lib/contract/rules.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { callStatuses, callTypes } from '../../lib/telephony/vocabularies.ts';

/** What a filter may look at. An entry of a list lacks durations and legs, which are in the row of the call, and `missedState`. */
export interface FilteredCall extends Omit<CallToCount, 'listedAt'> {
  /** What became of a missed call: other calls decide. */
  readonly missedState?: MissedState | undefined;
}

/** Whether a call is selected. Where an agent is asked for, it sees what of the call belongs to that agent. */
export interface CallTest {
  /** The fields that it looks at. Those that no list has are read before it. */
  readonly fields: readonly string[];
  readonly fits: (call: FilteredCall & AgentPart) => boolean;
}

type OfferingCall = Partial<Pick<ListedCall, 'skillName' | 'campaignName' | 'agentIds' | 'customerNumber'>>;

interface CallFilter {
  /** What the page calls it. Its name in addresses and options is a word of it. */
  readonly label: string;
  /** What follows the name of its option in the help of `callfeed calls`. */
  readonly argument: string;
  readonly help: string;
  /** The words from which one is chosen, and how people read one that the vocabularies do not have. */
  readonly words?: readonly string[];
  readonly textOf?: (word: string) => string;
  /** Whether it takes a number of seconds. Without words and seconds it takes a text, which is compared in full. */
  readonly isSeconds?: true;
  /** The texts that a call has for it: the page offers them while somebody types. */
  readonly offeredBy?: (call: OfferingCall) => string | readonly string[] | undefined;
  /** Whether an index lists the calls of each text. */
  readonly isIndexed?: true;
  readonly isPersonal?: true;
  readonly isHiddenUntilSet?: true;
  /** Without it, the index alone selects. */
  readonly test?: (text: string) => CallTest;
  /** The same as options of `callfeed calls`, where that is not `--name text`. */
  readonly asOptions?: (text: string) => readonly string[];
}

const having =
  (field: keyof FilteredCall) =>
  (text: string): CallTest => ({ fields: [field], fits: (call) => call[field] === text });

const answeredIn =
  (name: 'inTime' | 'answeredLate') =>
  (seconds: string): CallTest =>
    countTest(name, { ...defaultCountSettings, withinSeconds: Number(seconds) });

const lacking: Readonly<Record<string, CallTest>> = {
  agent: { fields: ['agentIds'], fits: (call) => agentsOfCall(call).length === 0 },
  skill: { fields: ['skillName'], fits: ({ skillName }) => skillName === undefined },
  campaign: { fields: ['campaignName'], fits: ({ campaignName }) => campaignName === undefined },
};

const never: CallTest = { fields: [], fits: () => false };

const named = <Name extends string>(filters: Readonly<Record<Name, CallFilter>>) => filters;

/**
 * The filters of a list of calls, by their names: options of `callfeed calls`, parameters of the console’s addresses, and fields of its
 * page. A filter or an option is added here alone. Which calls a figure counts is in `lib/contract/call-counts.ts`.
 */
export const callFilters = named({
  status: {
    label: 'status',
    argument: '<word>',
    help: 'only calls with this status',
    words: [...callStatuses.words, 'unknown'],
    test: having('status'),
  },
  type: {
    label: 'type',
    argument: '<word>',
    help: 'only calls of this type',
    words: [...callTypes.words, 'unknown'],
    test: having('type'),
  },
  counted: {
    label: 'counted as',
    argument: '<word>',
    help: 'only calls that this figure of “callfeed day” counts, or rests on; of --agent, by what that agent did',
    words: keysOf(countsByWord),
    test(word) {
      const name = keysOf(countsByWord).find((one) => one === word);
      return name === undefined ? never : countTest(countsByWord[name], defaultCountSettings);
    },
    asOptions: (word) => (word === 'missed' || word === 'abandoned' ? [`--${word}`] : ['--counted', word]),
  },
  state: {
    label: 'state',
    argument: '<word>',
    help: 'only missed calls of this state: whether somebody has spoken with the customer since',
    words: keysOf(missedStates),
    textOf: (word) =>
      keysOf(missedStates)
        .flatMap((state) => (state === word ? missedStates[state].text : []))
        .join(''),
    test: having('missedState'),
  },
  within: {
    label: 'answered within',
    argument: '<seconds>',
    help: 'only calls of customers that were answered within so many seconds',
    isSeconds: true,
    test: answeredIn('inTime'),
  },
  slower: {
    label: 'slower than',
    argument: '<seconds>',
    help: 'only calls of customers whose answer took longer than so many seconds',
    isSeconds: true,
    test: answeredIn('answeredLate'),
  },
  known: {
    label: 'known duration',
    argument: '<duration>',
    help: 'only calls that have this duration',
    words: keysOf(callDurations).map((name) => callDurations[name].word),
    isHiddenUntilSet: true,
    test(word) {
      const name = keysOf(callDurations).find((one) => callDurations[one].word === word);
      if (name === undefined) return never;
      return { fields: [callDurations[name].field], fits: (call) => durationOf(call, name) !== undefined };
    },
  },
  skill: {
    label: 'skill',
    argument: '<name>',
    help: 'only calls of this skill, written as it was sent',
    offeredBy: ({ skillName }) => skillName,
    test: having('skillName'),
  },
  campaign: {
    label: 'campaign',
    argument: '<name>',
    help: 'only calls of this campaign, written as it was sent',
    offeredBy: ({ campaignName }) => campaignName,
    test: having('campaignName'),
  },
  without: {
    label: 'without',
    argument: '<field>',
    help: 'only calls that name no agent, skill or campaign',
    words: Object.keys(lacking),
    isHiddenUntilSet: true,
    test: (word) => lacking[word] ?? never,
  },
  agent: {
    label: 'agent ( / )',
    argument: '<id>',
    help: 'of this agent, transfers included',
    offeredBy: ({ agentIds }) => agentIds,
    isIndexed: true,
    test: (id) => ({ fields: ['agentIds'], fits: (call) => agentsOfCall(call).includes(id) }),
  },
  customer: {
    label: 'customer',
    argument: '<number>',
    help: 'of this number, with a range in any spelling, else in usual ones; without + or 00 it is one of the account’s country',
    offeredBy: ({ customerNumber }) => customerNumber,
    isIndexed: true,
    isPersonal: true,
    asOptions: (number) => ['--customer', number, '--show-personal'],
  },
});

export type CallFilterName = keyof typeof callFilters;
export type CallFilters = Readonly<Partial<Record<CallFilterName, string | undefined>>>;

const filtersSet = (filters: CallFilters) =>
  keysOf(callFilters).flatMap((name): readonly (CallFilter & { readonly name: string; readonly text: string })[] => {
    const text = filters[name];
    return text === undefined ? [] : [{ name, text, ...callFilters[name] }];
  });

const foldedText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Texts of calls that are nearly those of the filters: names are compared letter by letter, and a misspelt one finds nothing. */
export const nearTexts = (filters: CallFilters, calls: readonly OfferingCall[]): readonly NearText[] =>
  filtersSet(filters).flatMap(({ name, text, offeredBy, isPersonal }) => {
    if (offeredBy === undefined || isPersonal) return [];
    const asked = foldedText(text);
    const texts = [...new Set(calls.flatMap((call) => offeredBy(call) ?? []))];
    if (asked === '' || texts.includes(text)) return [];
    const near = texts.filter((one) => foldedText(one) === asked || foldedText(one).startsWith(asked));
    return near.sort().map((one) => ({ name, text: one }));
  });

/** A filter, and a text that calls have for it. */
export interface NearText {
  readonly name: string;
  readonly text: string;
}

/** The filters among the parts of an address, or the options of a command. */
export const filtersIn = (given: object): CallFilters =>
  Object.fromEntries(
    Object.entries(given).filter(([name, text]) => Object.hasOwn(callFilters, name) && typeof text === 'string'),
  );

/** The same filters as options of `callfeed calls`. */
export const filterOptions = (filters: CallFilters): readonly string[] =>
  filtersSet(filters).flatMap(({ name, text, asOptions }) => asOptions?.(text) ?? [`--${name}`, text]);

/** The tests of the filters that are set. One that every call of the list passes, as all calls of an agent’s list do, leaves out none. */
export const testsOf = (filters: CallFilters) =>
  filtersSet(filters).flatMap(({ text, test, isIndexed = false }) => {
    // Of an agent and a customer, the list is the customer’s, and has calls of other agents.
    const isOfIndex = isIndexed && filters.customer === undefined;
    return test === undefined ? [] : [{ ...test(text), leavesOut: !isOfIndex }];
  });

/** The filters that select the calls of a count, or of these only the calls that have a duration. */
export const filtersOfCount = (name: keyof Counts, withinSeconds: number, known?: DurationName): CallFilters => {
  if (name === 'inTime') return { within: String(withinSeconds) };
  if (name === 'answeredLate') return { slower: String(withinSeconds) };
  return {
    counted: keysOf(countsByWord).find((word) => countsByWord[word] === name),
    known: known && callDurations[known].word,
  };
};

/** What is said of a customer's calls where not every spelling of the number was looked for. */
export const usualSpellingsText =
  'Only calls with a usual spelling of the number are found: bare, or with 0, +, 00 or the country’s code before it.';
