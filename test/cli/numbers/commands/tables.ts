import { wallClock } from '../clocks.ts';

type Line = Readonly<Record<string, unknown>>;

/** A duration as tables have it, such as 1h 02m 03s. */
const durationText = (seconds: number): string => {
  const whole = Math.floor(Math.max(0, seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  if (hours > 0) return `${hours}h ${two(minutes)}m ${two(rest)}s`;
  return minutes > 0 ? `${minutes}m ${two(rest)}s` : `${rest}s`;
};

const percentText = (share: number): string => `${Math.round(share * 100)} %`;

const textsOfNumber = (value: number): readonly string[] => [
  String(value),
  durationText(Math.round(value)),
  percentText(value),
];

const instantPattern = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/g;

/** What is printed of a text: as it is; of an instant its local time, and how long it is ago. */
const textsOfText = (text: string, { timeZone, until }: Clock): readonly string[] => {
  if (text.replace(instantPattern, '') !== '') return tokensIn(text);
  const local = wallClock(text, timeZone);
  const lasted = until.map((end) => durationText((Date.parse(end) - Date.parse(text)) / 1_000));
  return [text, local.replace(' ', 'T'), local.slice(11, 16), ...lasted];
};

const textsIn = (value: unknown, clock: Clock): readonly string[] => {
  if (typeof value === 'number') return textsOfNumber(value);
  if (typeof value === 'string') return textsOfText(value, clock);
  if (typeof value !== 'object' || value === null) return [];
  const length = Array.isArray(value) ? [String(value.length)] : [];
  return [
    ...length,
    ...Object.keys(value).flatMap(tokensIn),
    ...Object.values(value).flatMap((one) => textsIn(one, clock)),
  ];
};

/** What a table adds to what a line of JSON has: shares of it, and how long a call lasted. */
const derivedFrom = (line: Line): readonly string[] => {
  const number = (name: string, of: Line) => Number(of[name]);
  const shares = [line, Object(line['weekBefore'] ?? line['weeksBefore'])].flatMap((of) =>
    ['answered', 'missed'].map((name) => number(name, of) / (number('offered', of) - number('undecided', of))),
  );
  const states = Object.values(Object(line['secondsByState'])).map(Number);
  const total = states.reduce((sum, seconds) => sum + seconds, 0);
  const lasted = (Date.parse(String(line['endedAt'])) - Date.parse(String(line['startedAt']))) / 1_000;
  return [
    ...[...shares, ...states.map((seconds) => seconds / total)].map(percentText),
    durationText(total),
    durationText(lasted),
  ];
};

const token =
  /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?|\d{4}-\d\d-\d\d|\d\d:\d\d|(?:\d+h )?(?:\d+m )?\d+s\b|\d+ %|(?<![\w.#-])\d[\d.]*(?!\w)/g;

const tokensIn = (text: string): readonly string[] => text.match(token) ?? [];

interface Clock {
  readonly timeZone: string;
  /** When what is shown ends: now, at the moment that is asked for, or with the last poll before it. */
  readonly until: readonly string[];
}

/**
 * The numbers of a table for people that are in no line of the same as JSON, whose numbers are opened. Of how many calls a figure is
 * known is in the console’s answer alone: those sentences are given.
 */
export const strangeNumbers = (
  output: string,
  { lines, notes, ...clock }: Clock & { readonly lines: readonly Line[]; readonly notes: readonly string[] },
): readonly string[] => {
  const known = new Set([
    ...lines.flatMap((line) => [...textsIn(line, clock), ...derivedFrom(line)]),
    ...notes.flatMap(tokensIn),
  ]);
  const isKnown = (text: string) => known.has(text) || known.has(text.replace(/(?:Z|[+-]\d\d:\d\d)$/, ''));
  return tokensIn(output).filter((text) => !isKnown(text.replace(/\.$/, '')));
};
