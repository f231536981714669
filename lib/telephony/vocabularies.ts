/** A closed set of our words, and the sender's spellings of each in folded form. */
export interface Vocabulary<Word extends string> {
  readonly words: readonly Word[];
  readonly bySpelling: ReadonlyMap<string, Word>;
}

/** Our word for a word of the sender's; `unknown` with the original if the vocabulary lacks it. */
export interface VocabularyMatch<Word extends string> {
  readonly word: Word | 'unknown';
  readonly asSent?: string;
}

/** Letter case, spaces, hyphens and underscores vary from post to post, so they do not count. */
const folded = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/**
 * Declares a vocabulary of our words. `spellings` lists the sender's words that differ from ours by more than folding.
 */
export const vocabulary = <const Word extends string>(
  words: readonly Word[],
  spellings: Readonly<Record<string, Word>> = {},
): Vocabulary<Word> => ({
  words,
  bySpelling: new Map<string, Word>([
    ...words.map((word): [string, Word] => [folded(word), word]),
    ...Object.entries(spellings).map(([spelling, word]): [string, Word] => [folded(spelling), word]),
  ]),
});

/** Looks up a word. An undocumented word is no reason to reject a call, so it becomes `unknown`. */
export const lookUpWord = <Word extends string>(
  { bySpelling }: Vocabulary<Word>,
  text: string,
): VocabularyMatch<Word> => {
  const word = bySpelling.get(text.toLowerCase()) ?? bySpelling.get(folded(text));
  return word === undefined ? { word: 'unknown', asSent: text } : { word };
};

/** Whether the call was answered (Status). */
export const callStatuses = vocabulary(['answered', 'not-answered']);

/** Call types (Type); the sender itself misspells the last. */
export const callTypes = vocabulary(
  ['progressive', 'inbound', 'manual', 'preview', 'mail', 'ivr', 'chat', 'predictive'],
  { Predective: 'predictive' },
);

/** Whether the campaign was online (CampaignStatus). */
export const campaignStatuses = vocabulary(['online', 'offline']);

/** The outcome on the agent's side (AgentStatus). */
export const agentStatuses = vocabulary(['answered', 'not-answered', 'not-dialled', 'user-disconnected'], {
  NotDialed: 'not-dialled',
});

/** The outcome on the customer's side (CustomerStatus). */
export const customerStatuses = vocabulary(
  [
    'invalid-number',
    'congestion',
    'answered',
    'not-answered',
    'no-route-destination',
    'dialling',
    'no-response',
    'isd-disabled',
    'ring',
    'exception',
    'subscriber-absent',
    'invalid-number-format',
    'busy',
    'normal-unspecified',
  ],
  { Dialing: 'dialling', SubcriberAbsent: 'subscriber-absent' },
);

/** The telephony response (DialStatus); `success` occurs in participant records. */
export const dialStatuses = vocabulary([
  'not-answered',
  'answered',
  'ring',
  'invalid-number',
  'exception',
  'normal-unspecified',
  'success',
]);

/** Who ended the call (HangupBy). */
export const hangupParties = vocabulary(['user', 'agent', 'system'], {
  UserHangup: 'user',
  AgentHangup: 'agent',
  SystemHangup: 'system',
});

/** What kind of target the call was transferred to (TransferType). */
export const transferTypes = vocabulary(['agent', 'skill', 'phone-number', 'no-transfer'], {
  'No Transfers': 'no-transfer',
});
