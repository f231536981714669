import type { AgentDay, AgentInterval } from '../../lib/client/index.ts';
import { instantOf } from '../../lib/core/time.ts';
import { type Style, styled, type Terminal } from './terminal.ts';

/** What a part of a bar can show. */
export type BarState = AgentInterval['state'] | 'not-yet';

/** The letter of each state, for terminals without colours, and its colour. */
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

/** A day to draw, with its bounds and the instant up to which it is known (ISO). */
export interface BarDay {
  readonly start: string;
  readonly end: string;
  readonly upTo: string;
  readonly intervals: readonly Pick<AgentInterval, 'state' | 'from' | 'to'>[];
}

/** A time in one state, in milliseconds since the epoch. */
interface Span {
  readonly state: BarState;
  readonly from: number;
  readonly to: number;
}

/** The day in equal parts, each with the state that filled most of it. Of equal shares, the earlier one wins. */
export const barParts = (day: BarDay, parts: number): readonly BarState[] => {
  const from = Date.parse(day.start);
  const partMs = (Date.parse(day.end) - from) / parts;
  const spans = spansOf(day);
  return Array.from({ length: parts }, (_, part) => {
    const [begins, ends] = [from + part * partMs, from + (part + 1) * partMs];
    const times = new Map<BarState, number>();
    for (const span of spans) {
      const ms = Math.min(ends, span.to) - Math.max(begins, span.from);
      if (ms > 0) times.set(span.state, (times.get(span.state) ?? 0) + ms);
    }
    return longest([...times]);
  });
};

/** The whole day without gaps: between intervals the agent was not logged in. */
const spansOf = ({ start, end, upTo, intervals }: BarDay): readonly Span[] => {
  const endMs = Date.parse(end);
  const knownMs = Math.min(endMs, Date.parse(upTo));
  const spans: Span[] = [];
  let at = Date.parse(start);
  for (const interval of intervals) {
    const from = Date.parse(interval.from);
    const to = interval.to === undefined ? knownMs : Date.parse(interval.to);
    spans.push({ state: 'logged-out', from: at, to: from }, { state: interval.state, from, to });
    at = Math.max(at, to);
  }
  return [
    ...spans,
    { state: 'logged-out', from: at, to: knownMs },
    { state: 'not-yet', from: Math.max(at, knownMs), to: endMs },
  ];
};

const longest = (times: readonly (readonly [BarState, number])[]): BarState =>
  times.reduce((best, one) => (one[1] > best[1] ? one : best), ['not-yet', 0])[0];

/** The parts as a line: a letter each, in the colour of the state where colours are on. */
export const renderBar = (terminal: Pick<Terminal, 'hasColours'>, parts: readonly BarState[]): string =>
  runsOf(parts)
    .map(({ state, length }) => styled(terminal, barStyles[state].style, barStyles[state].letter.repeat(length)))
    .join('');

interface Run {
  readonly state: BarState;
  readonly length: number;
}

/** Joins equal neighbours: each change of colour costs bytes. */
const runsOf = (parts: readonly BarState[]): readonly Run[] => {
  const runs: Run[] = [];
  for (const state of parts) {
    const last = runs.at(-1);
    if (last?.state === state) runs.splice(-1, 1, { state, length: last.length + 1 });
    else runs.push({ state, length: 1 });
  }
  return runs;
};

/** Characters for one hour's label: two digits and a gap. */
const labelWidth = 5;

/** Labels of local hours above a bar, as many as fit. On days of 23 or 25 hours each is above its real instant. */
export const hourScale = (
  { day, timeZone, start, end }: Pick<AgentDay, 'day' | 'timeZone' | 'start' | 'end'>,
  width: number,
): string => {
  const step = [1, 2, 3, 4, 6, 12].find((hours) => (width * hours) / 24 >= labelWidth) ?? 24;
  const partMs = (Date.parse(end) - Date.parse(start)) / width;
  let scale = '';
  for (let hour = 0; hour < 24; hour += step) {
    const label = String(hour).padStart(2, '0');
    const at = instantOf(`${day} ${label}:00:00`, timeZone)?.at ?? start;
    const column = Math.floor((Date.parse(at) - Date.parse(start)) / partMs);
    // An hour that clocks skip has the column of the next one.
    if (hour === 0 || column > scale.length) scale = scale.padEnd(column) + label;
  }
  return scale;
};
