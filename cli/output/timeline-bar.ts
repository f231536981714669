import type { AgentDay, AgentInterval } from '../../lib/client/index.ts';
import { instantOf } from '../../lib/core/instant.ts';
import { type Style, styled, type Terminal } from './terminal.ts';

/** What a part of a day can be drawn as. */
export type BarState = AgentInterval['state'] | 'not-yet';

/** The letter of each state, by which a bar can be read without colours, and its colour. */
export const barStyles: Readonly<Record<BarState, { readonly letter: string; readonly style: Style }>> = {
  ready: { letter: 'R', style: ['black', 'bgGreen'] },
  acw: { letter: 'W', style: ['black', 'bgYellow'] },
  idle: { letter: 'I', style: ['black', 'bgWhite'] },
  busy: { letter: 'B', style: ['black', 'bgRed'] },
  'in-call': { letter: 'C', style: ['white', 'bgBlue'] },
  calling: { letter: 'D', style: ['black', 'bgCyan'] },
  aux: { letter: 'X', style: ['black', 'bgMagenta'] },
  pause: { letter: 'P', style: ['black', 'bgMagentaBright'] },
  release: { letter: 'L', style: ['black', 'bgYellowBright'] },
  offline: { letter: 'O', style: ['white', 'bgBlackBright'] },
  unknown: { letter: '?', style: ['black', 'bgRedBright'] },
  'logged-out': { letter: '.', style: 'dim' },
  'not-yet': { letter: ' ', style: 'dim' },
};

/** A day to be drawn, in instants: where it begins and ends, and up to when it is known. */
export interface BarDay {
  readonly start: string;
  readonly end: string;
  readonly upTo: string;
  readonly intervals: readonly Pick<AgentInterval, 'state' | 'from' | 'to'>[];
}

/** What was so for some time, in milliseconds since the epoch. */
interface Span {
  readonly drawn: BarState;
  readonly from: number;
  readonly to: number;
}

/** The day in equal parts, each as what filled most of it; of what filled it equally, what began first. */
export const barParts = (day: BarDay, parts: number): readonly BarState[] => {
  const from = Date.parse(day.start);
  const partMs = (Date.parse(day.end) - from) / parts;
  const spans = spansOf(day);
  return Array.from({ length: parts }, (_, part) => {
    const [begins, ends] = [from + part * partMs, from + (part + 1) * partMs];
    const times = new Map<BarState, number>();
    for (const span of spans) {
      const ms = Math.min(ends, span.to) - Math.max(begins, span.from);
      if (ms > 0) times.set(span.drawn, (times.get(span.drawn) ?? 0) + ms);
    }
    return longest([...times]);
  });
};

/** The whole day without gaps: between intervals nobody was logged in. */
const spansOf = ({ start, end, upTo, intervals }: BarDay): readonly Span[] => {
  const over = Date.parse(end);
  const known = Math.min(over, Date.parse(upTo));
  const spans: Span[] = [];
  let at = Date.parse(start);
  for (const stretch of intervals) {
    const [starts, ends] = [Date.parse(stretch.from), stretch.to === undefined ? known : Date.parse(stretch.to)];
    spans.push({ drawn: 'logged-out', from: at, to: starts }, { drawn: stretch.state, from: starts, to: ends });
    at = Math.max(at, ends);
  }
  return [
    ...spans,
    { drawn: 'logged-out', from: at, to: known },
    { drawn: 'not-yet', from: Math.max(at, known), to: over },
  ];
};

const longest = (times: readonly (readonly [BarState, number])[]): BarState =>
  times.reduce((best, one) => (one[1] > best[1] ? one : best), ['not-yet', 0])[0];

/** Parts of a day as a line: a letter each, in the colour of the state where there are colours. */
export const renderBar = (terminal: Pick<Terminal, 'hasColours'>, parts: readonly BarState[]): string =>
  runsOf(parts)
    .map(({ drawn, length }) => styled(terminal, barStyles[drawn].style, barStyles[drawn].letter.repeat(length)))
    .join('');

interface Run {
  readonly drawn: BarState;
  readonly length: number;
}

/** Parts that are drawn alike, together: each change of colour is some bytes. */
const runsOf = (parts: readonly BarState[]): readonly Run[] => {
  const runs: Run[] = [];
  for (const drawn of parts) {
    const last = runs.at(-1);
    if (last?.drawn === drawn) runs.splice(-1, 1, { drawn, length: last.length + 1 });
    else runs.push({ drawn, length: 1 });
  }
  return runs;
};

/** Two digits and room to tell them from the next ones. */
const leastRoom = 5;

/** The local hours above a bar, as many as there is room for; on days of 23 or 25 hours they stand where they were. */
export const hourScale = (
  { day, timeZone, start, end }: Pick<AgentDay, 'day' | 'timeZone' | 'start' | 'end'>,
  width: number,
): string => {
  const step = [1, 2, 3, 4, 6, 12].find((hours) => (width * hours) / 24 >= leastRoom) ?? 24;
  const partMs = (Date.parse(end) - Date.parse(start)) / width;
  let scale = '';
  for (let hour = 0; hour < 24; hour += step) {
    const label = String(hour).padStart(2, '0');
    const at = instantOf(`${day} ${label}:00:00`, timeZone)?.at ?? start;
    const place = Math.floor((Date.parse(at) - Date.parse(start)) / partMs);
    // An hour that clocks skip would stand where the next one does.
    if (hour === 0 || place > scale.length) scale = scale.padEnd(place) + label;
  }
  return scale;
};
