import { keysOf, once } from '../core/collections.ts';

/** A closed set of our words, and the service’s words for each. */
export interface Vocabulary<Word extends string> {
  readonly words: readonly Word[];
  /** The service’s words by ours. */
  readonly spellings: Readonly<Record<string, readonly string[]>>;
  /** Our word for every word, ours and the service’s, in lower case. */
  readonly byLowerCase: () => ReadonlyMap<string, Word>;
  /** The same by the folded word. */
  readonly byFolding: () => ReadonlyMap<string, Word>;
}

/** Our word for a word of the service’s, and that word as sent if ours has less: it is `unknown`, or has no parameter. */
export interface VocabularyMatch<Word extends string> {
  readonly word: Word | 'unknown';
  readonly asSent?: string;
}

/** Letter case, spaces, hyphens and underscores vary from post to post, so they do not count. */
const folded = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** Declares a vocabulary: the service’s words for each of ours, in one of the spellings that differ only by folding. */
export const vocabulary = <const Word extends string>(
  spellings: Readonly<Record<Word, readonly string[]>>,
): Vocabulary<Word> => {
  const words = keysOf(spellings);
  const indexBy = (keyOf: (spelling: string) => string) =>
    once(
      () =>
        new Map(
          words.flatMap((word) => [word, ...spellings[word]].map((spelling) => [keyOf(spelling), word] as const)),
        ),
    );
  return { words, spellings, byLowerCase: indexBy((spelling) => spelling.toLowerCase()), byFolding: indexBy(folded) };
};

/** The service adds a parameter to some words, such as the seconds in `QTimeExceeded{60}`. */
const withParameter = /^([^{]*)\{.*\}$/s;

/** Words of the service that a vocabulary lacks, each with our word: an account’s setting, until a release knows them. */
export type AddedWords = Readonly<Record<string, string>>;

/** Added words by the fact whose vocabulary they extend. */
export type AddedWordsByFact = Readonly<Record<string, AddedWords | undefined>>;

/**
 * Looks up a word. An undocumented word is no reason to reject a call, so it becomes `unknown`, unless it was added. An
 * added word is found exactly as one of the vocabulary, so that nothing changes once the vocabulary has it.
 */
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

/** A word that no vocabulary has, as sent, and the fact that it was sent for. */
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
  { byLowerCase, byFolding, words }: Vocabulary<Word>,
  text: string,
  added: AddedWords = {},
): Word | undefined => {
  // Most words are found without folding them.
  const known = byLowerCase().get(text.toLowerCase()) ?? byFolding().get(folded(text));
  if (known !== undefined) return known;
  const [, word] = Object.entries(added).find(([sent]) => folded(sent) === folded(text)) ?? [];
  return words.find((one) => one === word);
};
