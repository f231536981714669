import type { ListedCall } from '../lib/contract/rows.ts';
import { isMissed } from '../lib/contract/rules.ts';
import { callStatuses, callTypes } from '../lib/telephony/vocabularies.ts';

interface CallFilter {
  readonly label: string;
  /** The words that can be chosen; without them a text is typed. */
  readonly words?: readonly string[];
  /** What a call has for it, which the page offers while a text is typed. */
  readonly textsOf?: (call: ListedCall) => string | readonly string[] | undefined;
  /** Whether a call is selected; without it, the calls of one text are a list of their own. */
  readonly fits?: (call: ListedCall, text: string) => boolean;
  readonly isPersonal?: boolean;
  /** Its options of `callfeed calls`, where they are not its name and text. */
  readonly optionsOf?: (text: string) => readonly string[];
}

const named = <Name extends string>(filters: Readonly<Record<Name, CallFilter>>) => filters;

/** The filters of Calls, by their names in the addresses of page and API. Every text is compared in full. */
export const callFilters = named({
  status: {
    label: 'Status',
    words: [...callStatuses.words, 'unknown', 'missed'],
    fits: (call, word) => (word === 'missed' ? isMissed(call) : call.status === word),
    optionsOf: (word) => (word === 'missed' ? ['--missed'] : ['--status', word]),
  },
  type: {
    label: 'Type',
    words: [...callTypes.words, 'unknown'],
    fits: ({ type }, word) => type === word,
  },
  agent: { label: 'agent id ( / )', textsOf: ({ agentIds }) => agentIds },
  skill: { label: 'skill', textsOf: ({ skillName }) => skillName, fits: ({ skillName }, text) => skillName === text },
  campaign: {
    label: 'campaign',
    textsOf: ({ campaignName }) => campaignName,
    fits: ({ campaignName }, text) => campaignName === text,
  },
  customer: {
    label: 'customer number',
    textsOf: ({ customerNumber }) => customerNumber,
    isPersonal: true,
    optionsOf: (number) => ['--customer', number, '--show-personal'],
  },
});

export type CallFilterName = keyof typeof callFilters;

/** The filters that an address has. */
export const filtersIn = (query: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(callFilters).flatMap((name) => {
      const text = query[name]?.trim();
      return text ? [[name, text]] : [];
    }),
  );

/** The same filters as options of `callfeed calls`. */
export const filterOptions = (query: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(callFilters).flatMap(([name, { optionsOf }]) => {
    const text = query[name];
    return text === undefined ? [] : (optionsOf?.(text) ?? [`--${name}`, text]);
  });
