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
