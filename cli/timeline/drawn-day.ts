import type { AgentStretch } from '../../client/index.ts';
import type { Drawn } from './drawn-states.ts';

/** A day to be drawn, in instants: where it begins and ends, and up to when it is known. */
export interface DrawnDay {
  readonly start: string;
  readonly end: string;
  readonly upTo: string;
  readonly stretches: readonly Pick<AgentStretch, 'state' | 'from' | 'to'>[];
}

/** What was so for some time, in milliseconds since the epoch. */
interface Span {
  readonly drawn: Drawn;
  readonly from: number;
  readonly to: number;
}

/** The day in equal parts, each as what filled most of it; of what filled it equally, what began first. */
export const drawnDay = (day: DrawnDay, parts: number): readonly Drawn[] => {
  const from = Date.parse(day.start);
  const partMs = (Date.parse(day.end) - from) / parts;
  const spans = spansOf(day);
  return Array.from({ length: parts }, (_, part) => {
    const [begins, ends] = [from + part * partMs, from + (part + 1) * partMs];
    const times = new Map<Drawn, number>();
    for (const span of spans) {
      const ms = Math.min(ends, span.to) - Math.max(begins, span.from);
      if (ms > 0) times.set(span.drawn, (times.get(span.drawn) ?? 0) + ms);
    }
    return longest([...times]);
  });
};

/** The whole day without gaps: between stretches nobody was logged in. */
const spansOf = ({ start, end, upTo, stretches }: DrawnDay): readonly Span[] => {
  const over = Date.parse(end);
  const known = Math.min(over, Date.parse(upTo));
  const spans: Span[] = [];
  let at = Date.parse(start);
  for (const stretch of stretches) {
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

const longest = (times: readonly (readonly [Drawn, number])[]): Drawn =>
  times.reduce((best, one) => (one[1] > best[1] ? one : best), ['not-yet', 0])[0];
