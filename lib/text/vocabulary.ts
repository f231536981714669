/** A closed set of words: the sender's spellings, folded, to ours. */
export interface Vocabulary<Word extends string> {
  readonly words: readonly Word[];
  readonly bySpelling: ReadonlyMap<string, Word>;
}

/** Our word for the sender's, and the sender's own where it is none that we know. */
export interface Understood<Word extends string> {
  readonly word: Word | 'unknown';
  readonly asSent?: string;
}

/** Letter case, spaces and underscores vary from post to post; letters and digits carry the meaning. */
const folded = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** Declares a vocabulary from our words, each understood in its own spelling, and from spellings that differ. */
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

/** A word nobody has documented is no reason to refuse a call: it is `unknown`, with the word as sent beside it. */
export const understood = <Word extends string>({ bySpelling }: Vocabulary<Word>, text: string): Understood<Word> => {
  const word = bySpelling.get(text.toLowerCase()) ?? bySpelling.get(folded(text));
  return word === undefined ? { word: 'unknown', asSent: text } : { word };
};
