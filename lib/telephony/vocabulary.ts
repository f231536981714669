import { keysOf } from '../core/collections.ts';

/** A closed set of our words, and the service’s words for each. */
export interface Vocabulary<Word extends string> {
  readonly words: readonly Word[];
  /** The service’s words by ours. */
  readonly spellings: Readonly<Record<string, readonly string[]>>;
  /** Our word for every spelling of a word, ours and the service’s. */
  readonly bySpelling: ReadonlyMap<string, Word>;
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
  const bySpelling = words.flatMap((word) =>
    [word, ...spellings[word]].flatMap((spelling): [string, Word][] => [
      // Most words are found without folding them.
      [spelling.toLowerCase(), word],
      [folded(spelling), word],
    ]),
  );
  return { words, spellings, bySpelling: new Map(bySpelling) };
};

/** Practice: a word may have a parameter, such as the seconds in `QTimeExceeded{60}`. */
const withParameter = /^([^{]*)\{.*\}$/s;

/** Looks up a word. An undocumented word is no reason to reject a call, so it becomes `unknown`. */
export const lookUpWord = <Word extends string>(words: Vocabulary<Word>, text: string): VocabularyMatch<Word> => {
  const word = wordFor(words, text);
  if (word !== undefined) return { word };
  const [, withoutParameter = ''] = withParameter.exec(text) ?? [];
  return { word: wordFor(words, withoutParameter) ?? 'unknown', asSent: text };
};

const wordFor = <Word extends string>({ bySpelling }: Vocabulary<Word>, text: string): Word | undefined =>
  bySpelling.get(text.toLowerCase()) ?? bySpelling.get(folded(text));
