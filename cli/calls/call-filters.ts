import type { CallToCount } from '../../client/call-figures.ts';
import {
  type AgentPart,
  agentsOfCall,
  callDurations,
  countsByWord,
  countTest,
  defaultCountSettings,
  durationOf,
} from '../../lib/contract/call-counts.ts';
import type { ListedCall } from '../../lib/contract/rows.ts';
import { type MissedState, missedStates } from '../../lib/contract/rules.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { callStatuses, callTypes } from '../../lib/telephony/vocabularies.ts';

/** What a filter may look at. A list's entry has no durations, legs or `missedState`: they are read before the test. */
export interface FilteredCall extends Omit<CallToCount, 'listedAt'> {
  /** What became of a missed call: other calls decide. */
  readonly missedState?: MissedState | undefined;
}

/** Whether a call is selected. Where an agent is asked for, the test sees what of the call belongs to that agent. */
export interface CallTest {
  /** The fields that the test looks at. Those that an entry of the list lacks are read first. */
  readonly fields: readonly string[];
  readonly fits: (call: FilteredCall & AgentPart) => boolean;
}

export type OfferingCall = Partial<Pick<ListedCall, 'skillName' | 'campaignName' | 'agentIds' | 'customerNumber'>>;

export interface CallFilter {
  /** What the page calls the filter. Its name in addresses and options is a word of the label. */
  readonly label: string;
  /** The key that takes a reader of the page to the field. */
  readonly shortcut?: string;
  /** What follows the name of its option in the help of `callfeed calls`. */
  readonly argument: string;
  readonly help: string;
  /** The words to choose from. */
  readonly words?: readonly string[];
  /** How people read a word; default: `wordText`. */
  readonly textOf?: (word: string) => string;
  /** Whether the filter takes a number of seconds. Without words and seconds it takes a text, which is compared in full. */
  readonly isSeconds?: true;
  /** The texts that a call has for the filter: the page offers them while somebody types. */
  readonly offeredBy?: (call: OfferingCall) => string | readonly string[] | undefined;
  /** Whether an index lists the calls of each text. */
  readonly isIndexed?: true;
  readonly isPersonal?: true;
  readonly isHiddenUntilSet?: true;
  /** Without a test, the index alone selects. */
  readonly test?: (text: string) => CallTest;
  /** The filter as options of `callfeed calls`, where that is not `--name text`. */
  readonly asOptions?: (text: string) => readonly string[];
}

const fieldIs =
  (field: keyof FilteredCall) =>
  (text: string): CallTest => ({ fields: [field], fits: (call) => call[field] === text });

const byAnswerTime =
  (name: 'inTime' | 'answeredLate') =>
  (seconds: string): CallTest =>
    countTest(name, { ...defaultCountSettings, withinSeconds: Number(seconds) });

const lacking: Readonly<Record<string, CallTest>> = {
  agent: { fields: ['agentIds'], fits: (call) => agentsOfCall(call).length === 0 },
  skill: { fields: ['skillName'], fits: ({ skillName }) => skillName === undefined },
  campaign: { fields: ['campaignName'], fits: ({ campaignName }) => campaignName === undefined },
};

const never: CallTest = { fields: [], fits: () => false };

/** Keeps the names as a type, and gives each filter the type of a filter. */
const declaredFilters = <Name extends string>(filters: Readonly<Record<Name, CallFilter>>) => filters;

/**
 * The filters of a list of calls, by their names: options of `callfeed calls`, parameters of the console’s addresses, and fields of its
 * page. A filter or an option is added here alone. Which calls a figure counts is in `lib/contract/call-counts.ts`.
 */
export const callFilters = declaredFilters({
  status: {
    label: 'status',
    argument: '<word>',
    help: 'only calls with this status',
    words: [...callStatuses.words, 'unknown'],
    test: fieldIs('status'),
  },
  type: {
    label: 'type',
    argument: '<word>',
    help: 'only calls of this type',
    words: [...callTypes.words, 'unknown'],
    test: fieldIs('type'),
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
    textOf(word) {
      const state = keysOf(missedStates).find((one) => one === word);
      return state === undefined ? '' : missedStates[state].text;
    },
    test: fieldIs('missedState'),
  },
  within: {
    label: 'answered within',
    argument: '<seconds>',
    help: 'only calls of customers that were answered within so many seconds',
    isSeconds: true,
    test: byAnswerTime('inTime'),
  },
  slower: {
    label: 'slower than',
    argument: '<seconds>',
    help: 'only calls of customers whose answer took longer than so many seconds',
    isSeconds: true,
    test: byAnswerTime('answeredLate'),
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
    test: fieldIs('skillName'),
  },
  campaign: {
    label: 'campaign',
    argument: '<name>',
    help: 'only calls of this campaign, written as it was sent',
    offeredBy: ({ campaignName }) => campaignName,
    test: fieldIs('campaignName'),
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
    label: 'agent',
    shortcut: '/',
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
