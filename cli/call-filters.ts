import type { CallToCount } from '../lib/client/call-figures.ts';
import {
  agentsOfCall,
  type CountSettings,
  type Counts,
  countedCallOf,
  countTest,
  type DurationName,
  defaultCountSettings,
  durationFields,
  durationOf,
} from '../lib/contract/call-counts.ts';
import type { ListedCall } from '../lib/contract/rows.ts';
import { type MissedState, missedStates } from '../lib/contract/rules.ts';
import { keysOf } from '../lib/core/collections.ts';
import { callStatuses, callTypes } from '../lib/telephony/vocabularies.ts';

/**
 * What filters need of a call. An entry of a list lacks durations and legs, which are in its row alone, and what became of a missed
 * call, which other calls decide.
 */
export interface FilteredCall extends Omit<CallToCount, 'listedAt'> {
  readonly missedState?: MissedState | undefined;
}

interface CallTest {
  readonly needsRow: boolean;
  readonly needsState?: true;
  readonly fits: (call: FilteredCall) => boolean;
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
  /** Of an agent, what of a call belongs to that agent decides. Without a test, the list alone selects. */
  readonly test?: (text: string, agent: string | undefined) => CallTest;
  /** The same as options, where they are not its name and text. */
  readonly optionsOf?: (text: string) => readonly string[];
}

const ofList = (fits: CallTest['fits']): CallTest => ({ needsRow: false, fits });

const counting = (name: keyof Counts, agent: string | undefined, settings: Partial<CountSettings> = {}): CallTest => {
  const { fields, fits } = countTest(name, { ...defaultCountSettings, ...settings });
  // The legs say which of several agents answered.
  const isOfRow = (field: string) =>
    Object.hasOwn(durationFields, field) || (agent !== undefined && field === 'isAnswered');
  return { needsRow: fields.some(isOfRow), fits: (call) => fits(countedCallOf(call, agent)) };
};

/** The word of each count that a figure shows or rests on. Within or slower than some seconds are filters of their own. */
const countWords: Readonly<Record<string, keyof Counts>> = {
  offered: 'offered',
  answered: 'answered',
  'passed-on': 'passedOn',
  missed: 'missed',
  abandoned: 'abandoned',
  'short-abandoned': 'shortAbandoned',
  'given-up': 'givenUp',
  undecided: 'undecided',
  handled: 'handled',
  other: 'others',
  'service-level': 'serviceLevelCalls',
  abandonment: 'abandonmentCalls',
};

const durationWords: Readonly<Record<string, DurationName>> = {
  'time-to-answer': 'timeToAnswer',
  talk: 'talk',
  hold: 'hold',
  'wrap-up': 'wrapUp',
  handle: 'handle',
};

const withoutTests: Readonly<Record<string, CallTest['fits']>> = {
  agent: (call) => agentsOfCall(call).length === 0,
  skill: ({ skillName }) => skillName === undefined,
  campaign: ({ campaignName }) => campaignName === undefined,
};

const never = ofList(() => false);

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
    test: (word) => ofList(({ status }) => status === word),
  },
  type: {
    label: 'Type',
    option: ['<word>', 'only calls of this type'],
    words: [...callTypes.words, 'unknown'],
    test: (word) => ofList(({ type }) => type === word),
  },
  counted: {
    label: 'Figure',
    option: [
      '<word>',
      'only calls that this figure of “callfeed day” counts, or rests on; of --agent, by what that agent did',
    ],
    words: Object.keys(countWords),
    test: (word, agent) => {
      const name = countWords[word];
      return name === undefined ? never : counting(name, agent);
    },
    optionsOf: (word) => (word === 'missed' || word === 'abandoned' ? [`--${word}`] : ['--counted', word]),
  },
  state: {
    label: 'State',
    option: ['<word>', 'only missed calls of this state: whether somebody has spoken with the customer since'],
    words: keysOf(missedStates),
    test: (word) => ({ needsRow: false, needsState: true, fits: ({ missedState }) => missedState === word }),
  },
  within: {
    label: 'answered within',
    option: ['<seconds>', 'only calls of customers that were answered within so many seconds'],
    isSeconds: true,
    test: (text, agent) => counting('inTime', agent, { withinSeconds: Number(text) }),
  },
  slower: {
    label: 'slower than',
    option: ['<seconds>', 'only calls of customers whose answer took longer than so many seconds'],
    isSeconds: true,
    test: (text, agent) => counting('answeredLate', agent, { withinSeconds: Number(text) }),
  },
  known: {
    label: 'Known duration',
    option: ['<duration>', 'only calls that have this duration'],
    words: Object.keys(durationWords),
    isRare: true,
    test: (word, agent) => {
      const name = durationWords[word];
      if (name === undefined) return never;
      return { needsRow: true, fits: (call) => durationOf(countedCallOf(call, agent), name) !== undefined };
    },
  },
  skill: {
    label: 'skill',
    option: ['<name>', 'only calls of this skill, written as it was sent'],
    textsOf: ({ skillName }) => skillName,
    test: (text) => ofList(({ skillName }) => skillName === text),
  },
  campaign: {
    label: 'campaign',
    option: ['<name>', 'only calls of this campaign, written as it was sent'],
    textsOf: ({ campaignName }) => campaignName,
    test: (text) => ofList(({ campaignName }) => campaignName === text),
  },
  without: {
    label: 'Missing field',
    option: ['<field>', 'only calls that name no agent, skill or campaign'],
    words: Object.keys(withoutTests),
    isRare: true,
    test: (word) => ofList(withoutTests[word] ?? (() => false)),
  },
  agent: {
    label: 'agent id ( / )',
    option: ['<id>', 'of this agent, transfers included'],
    textsOf: ({ agentIds }) => agentIds,
    isList: true,
    test: (text) => ofList((call) => agentsOfCall(call).includes(text)),
  },
  customer: {
    label: 'customer number',
    option: ['<number>', 'of this number, in any spelling; without + or 00 it is one of the account’s country'],
    textsOf: ({ customerNumber }) => customerNumber,
    isList: true,
    isPersonal: true,
    optionsOf: (number) => ['--customer', number, '--show-personal'],
  },
});

export type CallFilterName = keyof typeof callFilters;
export type CallFilters = Readonly<Partial<Record<CallFilterName, string | undefined>>>;

const filterNames = keysOf(callFilters);

/** The filters among the parts of an address, or the options of a command. */
export const filtersIn = (given: object): CallFilters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const text: unknown = Reflect.get(given, name);
      return typeof text === 'string' ? [[name, text]] : [];
    }),
  );

/** The same filters as options of `callfeed calls`. */
export const filterOptions = (filters: CallFilters): readonly string[] =>
  filterNames.flatMap((name) => {
    const [{ optionsOf }, text]: [CallFilter, string | undefined] = [callFilters[name], filters[name]];
    return text === undefined ? [] : (optionsOf?.(text) ?? [`--${name}`, text]);
  });

export interface Selection {
  /** Whether calls of the list are left out. */
  readonly isFiltered: boolean;
  readonly needsRows: boolean;
  readonly needsStates: boolean;
  /** Whether an entry of a list may be selected, as far as it tells. */
  readonly mayFit: CallTest['fits'];
  readonly fits: CallTest['fits'];
}

export const selectionOf = (...all: readonly CallFilters[]): Selection => {
  const tests = all.flatMap((filters) =>
    filterNames.flatMap((name) => {
      const [{ test, isList }, text]: [CallFilter, string | undefined] = [callFilters[name], filters[name]];
      // Of an agent and a customer, the customer's calls are the list.
      const isFilter = isList !== true || filters.customer !== undefined;
      return text === undefined || test === undefined ? [] : [{ ...test(text, filters.agent), isFilter }];
    }),
  );
  const fitAll = (some: typeof tests) => (call: FilteredCall) => some.every(({ fits }) => fits(call));
  return {
    isFiltered: tests.some(({ isFilter }) => isFilter),
    needsRows: tests.some(({ needsRow }) => needsRow),
    needsStates: tests.some(({ needsState }) => needsState),
    mayFit: fitAll(tests.filter(({ needsRow, needsState }) => !(needsRow || needsState))),
    fits: fitAll(tests),
  };
};

const wordOf = <Name>(words: Readonly<Record<string, Name>>, name: Name | undefined): string | undefined =>
  Object.keys(words).find((word) => words[word] === name);

/** The filters that select the calls of a count, or of these only the calls that have a duration. */
export const filtersOfCount = (name: keyof Counts, withinSeconds: number, known?: DurationName): CallFilters => {
  if (name === 'inTime') return { within: String(withinSeconds) };
  if (name === 'answeredLate') return { slower: String(withinSeconds) };
  return { counted: wordOf(countWords, name), known: wordOf(durationWords, known) };
};
