import { callFigureDefinitions } from '../../lib/client/call-figures.ts';
import { agentFigureDefinitions, callGroupings } from '../../lib/client/day-figures.ts';
import { figuresByHand } from './figures-by-hand.ts';
import { code, markdownTable } from './markdown.ts';

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
  groupings: markdownTable(
    ['`--by`', 'How a call counts'],
    Object.entries(callGroupings).map(([by, definition]) => [code(by), definition]),
  ),
});
