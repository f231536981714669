import { keysOf } from '../core/collections.ts';

export interface Vocabulary<Word extends string> {
  readonly words: readonly Word[];
  readonly spellings: Readonly<Record<string, readonly string[]>>;
  /** Our word for every word, ours and the service’s, by the folded word. */
  readonly byFolding: ReadonlyMap<string, Word>;
}

/** `asSent` where the word is `unknown` or lacks a parameter. */
export interface VocabularyMatch<Word extends string> {
  readonly word: Word | 'unknown';
  readonly asSent?: string;
}

/** Letter case, spaces, hyphens and underscores vary from post to post, so they do not count. */
const folded = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '');

/** Declares a vocabulary: the service’s words for each of ours, in one of the spellings that differ only by folding. */
export const vocabulary = <const Word extends string>(
  spellings: Readonly<Record<Word, readonly string[]>>,
): Vocabulary<Word> => {
  const words = keysOf(spellings);
  const entries = words.flatMap((word) =>
    [word, ...spellings[word]].map((spelling) => [folded(spelling), word] as const),
  );
  return { words, spellings, byFolding: new Map(entries) };
};

/** The service adds a parameter to some words, such as the seconds in `QTimeExceeded{60}`. */
const withParameter = /^([^{]*)\{.*\}$/s;

/** Words of the service that a vocabulary lacks, each with our word: an account’s setting, until a release knows them. */
export type AddedWords = Readonly<Record<string, string>>;

export type AddedWordsByFact = Readonly<Record<string, AddedWords | undefined>>;

/** An undocumented word is no reason to reject a call. An added one is found as if the vocabulary had it. */
export const lookUpWord = <Word extends string>(
  words: Vocabulary<Word>,
  text: string,
  added?: AddedWords,
): VocabularyMatch<Word> => {
  const word = wordFor(words, text, added);
  if (word !== undefined) return { word };
  const [, withoutParameter = ''] = withParameter.exec(text) ?? [];
  return { word: wordFor(words, withoutParameter, added) ?? 'unknown', asSent: text };
};

export interface UnknownWord {
  readonly field: string;
  readonly word: string;
}

/** The unknown words among facts. Where a fact is a list, the words as sent correspond to it by their position. */
export const unknownWords = (facts: Readonly<Record<string, unknown>>): readonly UnknownWord[] =>
  Object.entries(facts).flatMap(([field, value]) => {
    const words: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!words.includes('unknown')) return [];
    const sent: readonly unknown[] = [facts[`${field}AsSent`]].flat();
    return words.flatMap((word, index) => {
      const asSent = sent[index];
      return word === 'unknown' && typeof asSent === 'string' ? [{ field, word: asSent }] : [];
    });
  });

const wordFor = <Word extends string>(
  { byFolding, words }: Vocabulary<Word>,
  text: string,
  added: AddedWords = {},
): Word | undefined => {
  const key = folded(text);
  if (key === '') return undefined;
  const own = byFolding.get(key);
  if (own !== undefined) return own;
  const [, word] = Object.entries(added).find(([sent]) => folded(sent) === key) ?? [];
  return words.find((one) => one === word);
};

/** A word for "nobody answered" is `not-answered`: Status has no other meaning. The call report says `Unanswered`. */
export const callStatuses = vocabulary({
  answered: ['Answered'],
  'not-answered': ['NotAnswered', 'NoAnswer', 'Unanswered'],
});

/** Call types (Type); the service itself misspells the last. */
export const callTypes = vocabulary({
  progressive: ['Progressive'],
  inbound: ['Inbound'],
  manual: ['Manual'],
  preview: ['Preview'],
  mail: ['Mail'],
  ivr: ['IVR'],
  chat: ['Chat'],
  predictive: ['Predictive', 'Predective'],
});

export const campaignStatuses = vocabulary({ online: ['ONLINE'], offline: ['OFFLINE'] });

/**
 * How an attempt to reach an agent or a customer ended (AgentStatus, CustomerStatus, DialStatus). No document says
 * which word occurs in which of these fields. The service sends most words in each field, so all three know all words.
 * `NoAnswer` is `not-answered`: both say that the telephone rang and nobody took the call.
 */
export const outcomes = vocabulary({
  answered: ['answered'],
  'not-answered': ['not_answered', 'NoAnswer'],
  'not-dialled': ['NotDialed'],
  dialling: ['Dialing'],
  ring: ['ring'],
  busy: ['Busy'],
  rejected: ['Rejected'],
  'no-response': ['NoResponse'],
  'max-dial-time-exceeded': ['MaxDialTimeExceeded'],
  'queue-time-exceeded': ['QTimeExceeded'],
  'user-disconnected': ['user_disconnected'],
  'agent-disconnected': ['agent_disconnect'],
  'invalid-number': ['InvalidNumber', 'invalid_number'],
  'invalid-number-format': ['InvalidNumberFormat'],
  'blocked-number': ['BlockedNumber'],
  'do-not-disturb': ['DND'],
  'isd-disabled': ['ISDDisabled'],
  'subscriber-absent': ['SubcriberAbsent', 'SubscriberAbsent'],
  'no-route-destination': ['NoRouteDestination'],
  congestion: ['Congestion'],
  'network-out-of-order': ['NetworkOutOfOrder'],
  'recovery-on-timer-expiry': ['RecoveryTimerOnExpiry'],
  'authentication-error': ['Authentication error'],
  exception: ['exception'],
  'normal-unspecified': ['NormalUnspecified'],
  failed: ['Fail', 'Failed'],
  success: ['SUCCESS'],
});

export const hangupParties = vocabulary({
  user: ['UserHangup', 'user_disconnected'],
  agent: ['AgentHangup', 'agent_disconnect'],
  system: ['SystemHangup'],
});

export const transferTypes = vocabulary({
  agent: ['Agent'],
  skill: ['Skill'],
  'phone-number': ['Phone Number'],
  'no-transfer': ['No Transfers'],
});

/** The states of an agent. The specification names three. The service sends all of them, in any letter case. */
export const agentStates = vocabulary({
  ready: ['READY'],
  acw: ['ACW'],
  idle: ['Idle'],
  busy: ['BUSY'],
  'in-call': ['INCALL'],
  calling: ['calling'],
  aux: ['AUX'],
  pause: ['PAUSE'],
  release: ['release'],
  offline: ['OFFLINE'],
});

export const loggedInStates = [...agentStates.words, 'unknown'] as const;
export type LoggedInState = (typeof loggedInStates)[number];

export const loggedOut = 'logged-out';

const texts = new Map([
  ['acw', 'after-call work'],
  ['in-call', 'in a call'],
  ['user', 'customer'],
]);

/** A word as people read it: in the console, and where the command line prints for people. Rows, events, JSON and CSV have the word. */
export const wordText = (word: string): string => texts.get(word) ?? word.replaceAll('-', ' ');
