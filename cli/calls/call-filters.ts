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

/**
 * What filters need of a call. An entry of a list lacks durations and legs, which are in its row alone, and what became of a missed
 * call, which other calls decide.
 */
export interface FilteredCall extends Omit<CallToCount, 'listedAt'> {
  readonly missedState?: MissedState | undefined;
}

/** Whether a call is selected, by these of its fields. Of an agent, what of the call belongs to that agent decides. */
export interface CallTest {
  readonly fields: readonly string[];
  readonly fits: (call: FilteredCall & AgentPart) => boolean;
}

interface CallFilter {
  readonly label: string;
  /** Its option of `callfeed calls`, after its name, and what the help says of it. */
  readonly option: readonly [argument: string, help: string];
  /** The words that can be chosen. Without them a text is typed, or a number of seconds. */
  readonly words?: readonly string[];
  readonly isSeconds?: true;
  /** What a call has for it, which the page offers while a text is typed. */
  readonly textsOf?: (call: ListedCall) => string | readonly string[] | undefined;
  /** Whether the calls of one text are a list of their own, which an index has. */
  readonly isList?: true;
  readonly isPersonal?: true;
  /** Whether the page has its field only while it is set. */
  readonly isRare?: true;
  /** Without it, the list alone selects. */
  readonly test?: (text: string) => CallTest;
  /** The same as options, where they are not its name and text. */
  readonly optionsOf?: (text: string) => readonly string[];
}

const having =
  (field: keyof FilteredCall) =>
  (text: string): CallTest => ({ fields: [field], fits: (call) => call[field] === text });

const answeredIn =
  (name: 'inTime' | 'answeredLate') =>
  (seconds: string): CallTest =>
    countTest(name, { ...defaultCountSettings, withinSeconds: Number(seconds) });

const withoutTests: Readonly<Record<string, CallTest>> = {
  agent: { fields: ['agentIds'], fits: (call) => agentsOfCall(call).length === 0 },
  skill: { fields: ['skillName'], fits: ({ skillName }) => skillName === undefined },
  campaign: { fields: ['campaignName'], fits: ({ campaignName }) => campaignName === undefined },
};

/** No call has a word that the filter does not know. */
const never: CallTest = { fields: [], fits: () => false };

const named = <Name extends string>(filters: Readonly<Record<Name, CallFilter>>) => filters;

/**
 * The filters of a list of calls: by their names in the addresses of the page and its API, and as options of `callfeed calls`.
 * Every text is compared in full. Which call counts in what is said in `lib/contract/call-counts.ts`, for the figures too.
 */
export const callFilters = named({
  status: {
    label: 'Status',
    option: ['<word>', 'only calls with this status'],
    words: [...callStatuses.words, 'unknown'],
    test: having('status'),
  },
  type: {
    label: 'Type',
    option: ['<word>', 'only calls of this type'],
    words: [...callTypes.words, 'unknown'],
    test: having('type'),
  },
  counted: {
    label: 'Figure',
    option: [
      '<word>',
      'only calls that this figure of “callfeed day” counts, or rests on; of --agent, by what that agent did',
    ],
    words: keysOf(countsByWord),
    test(word) {
      const name = keysOf(countsByWord).find((one) => one === word);
      return name === undefined ? never : countTest(countsByWord[name], defaultCountSettings);
    },
    optionsOf: (word) => (word === 'missed' || word === 'abandoned' ? [`--${word}`] : ['--counted', word]),
  },
  state: {
    label: 'State',
    option: ['<word>', 'only missed calls of this state: whether somebody has spoken with the customer since'],
    words: keysOf(missedStates),
    test: having('missedState'),
  },
  within: {
    label: 'answered within',
    option: ['<seconds>', 'only calls of customers that were answered within so many seconds'],
    isSeconds: true,
    test: answeredIn('inTime'),
  },
  slower: {
    label: 'slower than',
    option: ['<seconds>', 'only calls of customers whose answer took longer than so many seconds'],
    isSeconds: true,
    test: answeredIn('answeredLate'),
  },
  known: {
    label: 'Known duration',
    option: ['<duration>', 'only calls that have this duration'],
    words: keysOf(callDurations).map((name) => callDurations[name].word),
    isRare: true,
    test(word) {
      const name = keysOf(callDurations).find((one) => callDurations[one].word === word);
      if (name === undefined) return never;
      return { fields: [callDurations[name].field], fits: (call) => durationOf(call, name) !== undefined };
    },
  },
  skill: {
    label: 'skill',
    option: ['<name>', 'only calls of this skill, written as it was sent'],
    textsOf: ({ skillName }) => skillName,
    test: having('skillName'),
  },
  campaign: {
    label: 'campaign',
    option: ['<name>', 'only calls of this campaign, written as it was sent'],
    textsOf: ({ campaignName }) => campaignName,
    test: having('campaignName'),
  },
  without: {
    label: 'Missing field',
    option: ['<field>', 'only calls that name no agent, skill or campaign'],
    words: Object.keys(withoutTests),
    isRare: true,
    test: (word) => withoutTests[word] ?? never,
  },
  agent: {
    label: 'agent id ( / )',
    option: ['<id>', 'of this agent, transfers included'],
    textsOf: ({ agentIds }) => agentIds,
    isList: true,
    test: (id) => ({ fields: ['agentIds'], fits: (call) => agentsOfCall(call).includes(id) }),
  },
  customer: {
    label: 'customer number',
    option: [
      '<number>',
      'of this number, with a range in any spelling, else in usual ones; without + or 00 it is one of the account’s country',
    ],
    textsOf: ({ customerNumber }) => customerNumber,
    isList: true,
    isPersonal: true,
    optionsOf: (number) => ['--customer', number, '--show-personal'],
  },
});

/** What is said of a customer's calls where not every spelling of the number was looked for. */
export const usualSpellingsText =
  'Only calls with a usual spelling of the number are found: bare, or with 0, +, 00 or the country’s code before it.';

export type CallFilterName = keyof typeof callFilters;
export type CallFilters = Readonly<Partial<Record<CallFilterName, string | undefined>>>;

/** The filters that are set, each with its text. */
const filtersSet = (filters: CallFilters) =>
  keysOf(callFilters).flatMap((name): readonly (CallFilter & { readonly name: string; readonly text: string })[] => {
    const text = filters[name];
    return text === undefined ? [] : [{ name, text, ...callFilters[name] }];
  });

/** The filters among the parts of an address, or the options of a command. */
export const filtersIn = (given: object): CallFilters =>
  Object.fromEntries(
    Object.entries(given).filter(([name, text]) => Object.hasOwn(callFilters, name) && typeof text === 'string'),
  );

/** The same filters as options of `callfeed calls`. */
export const filterOptions = (filters: CallFilters): readonly string[] =>
  filtersSet(filters).flatMap(({ name, text, optionsOf }) => optionsOf?.(text) ?? [`--${name}`, text]);

/** The tests of the filters that are set, and whether each leaves out calls of the list. */
export const testsOf = (filters: CallFilters) =>
  filtersSet(filters).flatMap(({ text, test, isList = false }) =>
    // Where an agent and a customer are given, the customer's calls are listed, and the agent filters them.
    test === undefined ? [] : [{ ...test(text), isFilter: !isList || filters.customer !== undefined }],
  );

/** The filters that select the calls of a count, or of these only the calls that have a duration. */
export const filtersOfCount = (name: keyof Counts, withinSeconds: number, known?: DurationName): CallFilters => {
  if (name === 'inTime') return { within: String(withinSeconds) };
  if (name === 'answeredLate') return { slower: String(withinSeconds) };
  return {
    counted: keysOf(countsByWord).find((word) => countsByWord[word] === name),
    known: known && callDurations[known].word,
  };
};
