import { tryParseJson } from '../core/json.ts';
import { nonBlank } from './posted-fields.ts';
import { eachRecordingOnce } from './signed-links.ts';

/** How many recordings of a call are archived. All links stay in its row. */
export const maxRecordings = 50;

/** What a recording field holds: the links in the order sent, each recording once, and words that are no link. */
export interface RecordingLinks {
  readonly links: readonly string[];
  readonly words: readonly string[];
}

/**
 * Reads a recording field. The service separates links with a comma or an arrow. Other senders use `;`, `|`, a blank, a line
 * end or a JSON list.
 *
 * A link may contain most of these signs. So a sign separates only where another link or a word for none comes next, or
 * nothing. A line end and an arrow between blanks always separate. After the name of a sound file any sign does, but for a `;`
 * before a parameter (`;` and a piece with `=`). A blank in the middle of such a name is a part of the link.
 * @example readRecordings('https://r/1,,https://r/2,NA') // { links: ['https://r/1', 'https://r/2'], words: ['NA'] }
 */
export const readRecordings = (sent: string): RecordingLinks => {
  const found = textsOf(sent).map(readText);
  const words = found.flatMap((each) => each.words).filter((word) => nonBlank(word) !== undefined);
  return { links: eachRecordingOnce(found.flatMap(({ links }) => links)), words };
};

const textsOf = (sent: string): readonly string[] => {
  const list = sent.startsWith('[') ? tryParseJson(sent) : undefined;
  if (!Array.isArray(list)) return [sent];
  return list.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
};

/** An arrow, a text without separators, or the one word for none that has a blank in it. */
const pieces = /->|no[ _-]recordings?(?=$|[\s,;|]|->)|(?:(?!->)[^\s,;|])+/gi;

const readText = (text: string): RecordingLinks => {
  const links: string[] = [];
  const words: string[] = [];
  let link: Link | undefined;
  /** Words after a link. They belong to it if more of it follows. */
  let undecided: string[] = [];
  const endLink = () => {
    if (link !== undefined) links.push(text.slice(link.start, link.end));
    // No `push(...undecided)`: a field may have more words than a call takes arguments.
    for (const word of undecided) words.push(word);
    link = undefined;
    undecided = [];
  };
  let end = 0;
  for (const match of text.matchAll(pieces)) {
    const [piece] = match;
    if (piece === '->') continue;
    const start = match.index;
    const role = roleOf(piece, link, text.slice(end, start));
    end = start + piece.length;
    switch (role) {
      case 'link':
        endLink();
        link = extended({ start, hasQuery: false }, piece, end);
        break;
      case 'part':
        if (link !== undefined) link = extended(link, piece, end);
        undecided = [];
        break;
      case 'undecided':
        undecided.push(piece);
        break;
      case 'word':
        endLink();
        words.push(piece);
        break;
    }
  }
  endLink();
  return { links, words };
};

/** What a piece is that comes behind a separator, and behind a link if one is being read. A `part` continues that link. */
const roleOf = (piece: string, link: Link | undefined, separator: string): 'link' | 'part' | 'undecided' | 'word' => {
  if (linkBeginning.test(piece)) return 'link';
  if (link === undefined || endsLink(link, separator, piece)) return 'word';
  return isNone(piece) || isBehindFile(link, separator, piece) ? 'undecided' : 'part';
};

const linkBeginning = /^[a-z][a-z\d+.-]*:\/\//i;

interface Link {
  readonly start: number;
  readonly end: number;
  readonly hasQuery: boolean;
  /** Whether the path is the name of a sound file so far: then no more of the link is expected. */
  readonly isFile: boolean;
}

/** The link that has one more piece, which ends at `end`. */
const extended = ({ start, hasQuery }: Pick<Link, 'start' | 'hasQuery'>, piece: string, end: number): Link => {
  const isInQuery = hasQuery || piece.includes('?');
  return { start, end, hasQuery: isInQuery, isFile: !isInQuery && isSoundFile(piece) };
};

const endsLink = ({ isFile }: Link, separator: string, piece: string): boolean => {
  if (/[\r\n]|\s->\s/.test(separator)) return true;
  const isInName = separator.trim() === '' && !isNone(piece);
  return isFile && !isInName && !(separator === ';' && piece.includes('='));
};

/** Whether a blank and a word follow the name of a sound file, and the word is no such name itself. More of the name may follow. */
const isBehindFile = ({ isFile }: Link, separator: string, piece: string): boolean =>
  isFile && separator.trim() === '' && !isSoundFile(piece.replace(/\?.*/, ''));

const soundFiles = new Set([
  '3gp',
  'aac',
  'aif',
  'aiff',
  'amr',
  'au',
  'flac',
  'gsm',
  'm4a',
  'mka',
  'mkv',
  'mov',
  'mp2',
  'mp3',
  'mp4',
  'mpeg',
  'mpga',
  'oga',
  'ogg',
  'opus',
  'ra',
  'ulaw',
  'vox',
  'wav',
  'webm',
  'wma',
  'wmv',
]);

const isSoundFile = (text: string): boolean => soundFiles.has(text.slice(text.lastIndexOf('.') + 1).toLowerCase());

const noneWords = new Set([
  'none',
  'null',
  '-',
  'na',
  'n/a',
  'nil',
  'undefined',
  ...['', ' ', '_', '-'].flatMap((between) => [`no${between}recording`, `no${between}recordings`]),
]);

const isNone = (text: string): boolean => noneWords.has(text.toLowerCase());
