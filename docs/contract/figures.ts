import { agentFigureDefinitions } from '../../client/agent-figures.ts';
import { callFigureDeclarations, callFigureDefinitions, type Figure } from '../../client/call-figures.ts';
import { callFigures, callGroupings } from '../../client/day-figures.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { code, markdownTable } from './markdown.ts';

/** Five offered calls of a day, few enough to compute its figures by hand. Durations are in seconds. */
const calls = [
  { status: 'answered', hangupBy: 'agent', lasts: 115, answer: 10, talk: 80, hold: 5, wrapUp: 20 },
  { status: 'answered', hangupBy: 'user', lasts: 160, answer: 35, talk: 120, hold: 0, wrapUp: 30 },
  { status: 'not-answered', hangupBy: 'user', lasts: 40 },
  { status: 'not-answered', hangupBy: 'user', lasts: 4 },
  { status: 'not-answered', hangupBy: 'system', lasts: 60 },
] as const;

/** How each figure comes about. The results are not written here: the product computes them. */
const workings = {
  offered: 'calls 1 to 5',
  answered: 'calls 1 and 2',
  missed: 'calls 3 to 5',
  abandoned: 'calls 3 and 4, in which the customer hung up',
  shortAbandoned: 'call 4, below 10 s',
  serviceLevel: 'call 1, within 20 s / calls 1, 2, 3 and 5',
  answeredLate: 'call 2, after 35 s',
  abandonment: 'call 3 / calls 1, 2, 3 and 5',
  timeToAnswerAverageSeconds: '(10 + 35) / 2',
  timeToAnswerLongestSeconds: 'call 2',
  talkAverageSeconds: '(80 + 120) / 2',
  handleAverageSeconds: '((80 + 5 + 20) + (120 + 0 + 30)) / 2',
} as const;

const startedAt = '2026-11-21T05:00:00.000Z';

const figures = callFigures(
  calls.map((call) => ({
    listedAt: startedAt,
    startedAt,
    status: call.status,
    hangupBy: call.hangupBy,
    type: 'inbound' as const,
    endedAt: new Date(Date.parse(startedAt) + call.lasts * 1000).toISOString(),
    ...('talk' in call && {
      timeToAnswerSeconds: call.answer,
      durationSeconds: call.talk,
      holdSeconds: call.hold,
      wrapUpSeconds: call.wrapUp,
    }),
  })),
  { shortSeconds: 10, withinSeconds: 20 },
);

const resultText = ({ value = Number.NaN }: Figure, unit: 'calls' | 'seconds' | 'share'): string => {
  if (unit === 'share') return `${value * 100} %`;
  return unit === 'seconds' ? `${value} s` : `${value}`;
};

/** Five calls, and each figure of them with its working. */
const figuresByHand = (): string =>
  [
    markdownTable(
      ['', 'Status', '`hangupBy`', 'Start to end', 'To answer', 'Talk', 'Hold', 'Wrap-up'],
      calls.map((call, index) => [
        `${index + 1}`,
        call.status,
        call.hangupBy,
        `${call.lasts} s`,
        ...('talk' in call
          ? [call.answer, call.talk, call.hold, call.wrapUp].map((seconds) => `${seconds} s`)
          : ['', '', '', '']),
      ]),
    ),
    markdownTable(
      ['Figure', 'Working', 'Result'],
      Object.entries(workings).map(([name, working]) => {
        const { title, unit } = callFigureDefinitions[name as keyof typeof workings];
        return [title, working, resultText(figures[name as keyof typeof workings], unit)];
      }),
    ),
  ].join('\n\n');

/** Which figures are better the larger or the smaller they are, as it is declared with them. */
const directions = (): string =>
  markdownTable(
    ['Better is', 'Figures'],
    [...(['more', 'less'] as const).map((direction) => [direction, titlesOf(direction)]), ['neither', 'all others']],
  );

const titlesOf = (direction: 'more' | 'less'): string =>
  keysOf(callFigureDefinitions)
    .map((name) => callFigureDeclarations[name])
    .filter(({ better }) => better === direction)
    .map(({ title }) => title)
    .join('; ');

/** The generated parts of docs/figures.md, by their names. */
export const figuresParts = () => ({
  figures: markdownTable(
    ['Figure', '`--json`, `--csv`', 'How it is computed'],
    Object.entries({ ...callFigureDefinitions, ...agentFigureDefinitions }).map(([name, { title, definition }]) => [
      title,
      code(name),
      definition,
    ]),
  ),
  'figures-by-hand': figuresByHand(),
  directions: directions(),
  groupings: markdownTable(
    ['`--by`', 'How a call counts'],
    Object.entries(callGroupings).map(([by, definition]) => [code(by), definition]),
  ),
});
