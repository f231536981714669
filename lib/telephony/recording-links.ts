import { tryParseJson } from '../core/json.ts';
import { nonBlank } from './posted-fields.ts';

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
 * nothing. Three signs always separate: a line end, an arrow between blanks, and any sign right after the name of a sound
 * file. A blank in the middle of such a name is a part of the link.
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
const piece = /->|no[ _-]recordings?(?=$|[\s,;|]|->)|(?:(?!->)[^\s,;|])+/gi;

const readText = (text: string): RecordingLinks => {
  const links: string[] = [];
  const words: string[] = [];
  let link: Link | undefined;
  /** Words behind the link: they are a part of it if more of it follows. */
  let undecided: string[] = [];
  const endLink = () => {
    if (link !== undefined) links.push(text.slice(link.start, link.end));
    // There may be more than fit into one call.
    for (const word of undecided) words.push(word);
    link = undefined;
    undecided = [];
  };
  let end = 0;
  for (const { 0: sent, index: start } of text.matchAll(piece)) {
    if (sent === '->') continue;
    const role = roleOf(sent, link, text.slice(end, start));
    end = start + sent.length;
    if (role === 'link' || role === 'word') endLink();
    if (role === 'word') words.push(sent);
    else if (role === 'undecided') undecided.push(sent);
    else {
      link = longerLink(link ?? { start }, sent, end);
      undecided = [];
    }
  }
  endLink();
  return { links, words };
};

/** What a piece is that comes behind a separator, and behind a link if one is being read. */
const roleOf = (sent: string, link: Link | undefined, separator: string): 'link' | 'part' | 'undecided' | 'word' => {
  if (linkBeginning.test(sent)) return 'link';
  if (link === undefined || endsLink(link, separator, sent)) return 'word';
  return isNone(sent) || isBehindFile(link, separator, sent) ? 'undecided' : 'part';
};

const linkBeginning = /^[a-z][a-z\d+.-]*:\/\//i;

interface Link {
  readonly start: number;
  readonly end: number;
  readonly hasQuery: boolean;
  /** Whether its path is the name of a sound file so far: no more of it is expected. */
  readonly isFile: boolean;
}

const longerLink = (
  { start, hasQuery = false }: Partial<Link> & Pick<Link, 'start'>,
  sent: string,
  end: number,
): Link => {
  const isInQuery = hasQuery || sent.includes('?');
  return { start, end, hasQuery: isInQuery, isFile: !isInQuery && isSoundFile(sent) };
};

const endsLink = ({ isFile }: Link, separator: string, sent: string): boolean => {
  if (/[\r\n]|\s->\s/.test(separator)) return true;
  const isInName = separator.trim() === '' && !isNone(sent);
  return isFile && !isInName && !(separator === ';' && sent.includes('='));
};

/** Whether a blank and a word follow the name of a sound file. They are a part of it only if the name of a file ends there again. */
const isBehindFile = ({ isFile }: Link, separator: string, sent: string): boolean =>
  isFile && separator.trim() === '' && !isSoundFile(sent.replace(/\?.*/, ''));

const soundFiles = new Set(
  '3gp aac aif aiff amr au flac gsm m4a mka mkv mov mp2 mp3 mp4 mpeg mpga oga ogg opus ra ulaw vox wav webm wma wmv'.split(
    ' ',
  ),
);

const isSoundFile = (text: string): boolean => soundFiles.has(text.slice(text.lastIndexOf('.') + 1).toLowerCase());

const noneWords = new Set([
  ...['none', 'null', '-', 'na', 'n/a', 'nil', 'undefined'],
  ...['', ' ', '_', '-'].flatMap((between) => [`no${between}recording`, `no${between}recordings`]),
]);

const isNone = (text: string): boolean => noneWords.has(text.toLowerCase());

/**
 * Stores of files sign a link for minutes or days, so the link to one file changes. The parameters of each signature, in small
 * letters, begin with the two that no signature of its kind lacks.
 */
const signatures: readonly (readonly string[])[] = [
  // Amazon S3 and the stores that copy it, since 2014; Google Cloud Storage.
  ...['x-amz', 'x-goog'].map((prefix) =>
    'signature credential algorithm date expires signedheaders security-token content-sha256'
      .split(' ')
      .map((name) => `${prefix}-${name}`),
  ),
  // The earlier ones of Amazon S3, Google and Alibaba; CloudFront.
  ...['awsaccesskeyid', 'googleaccessid', 'ossaccesskeyid', 'key-pair-id'].map((key) =>
    `signature ${key} expires policy hash-algorithm security-token x-amz-security-token`.split(' '),
  ),
  // Azure Storage.
  'sig sv se st sp sr ss srt spr sip si ses sdd skoid sktid skt ske sks skv skdutid sduoid saoid suoid scid'.split(' '),
];

/** A link without its signature, if it has one. The question mark stays: without it this would be the link of a file that is not signed. */
export const withoutSignature = (link: string): string => {
  const query = link.indexOf('?') + 1;
  if (query === 0) return link;
  const nameOf = (parameter: string) => parameter.slice(0, `${parameter}=`.indexOf('=')).toLowerCase();
  const parameters = link.slice(query).split('&');
  const names = parameters.map(nameOf);
  const found = signatures.filter((signature) => signature.slice(0, 2).every((name) => names.includes(name))).flat();
  const others = parameters.filter((parameter) => !found.includes(nameOf(parameter)));
  return link.slice(0, query) + others.join('&');
};

/** The texts, each once. Of links that differ by their signatures the last one stays, which works longest, in the place of the first. */
export const eachRecordingOnce = <Text>(texts: readonly Text[]): readonly Text[] => [
  ...new Map(texts.map((text) => [typeof text === 'string' ? withoutSignature(text) : text, text])).values(),
];
