import { styled } from '../output/styled.ts';
import type { Terminal } from '../terminal.ts';
import { type Drawn, drawnStates } from './drawn-states.ts';

/** Parts of a day as a line: a letter each, in the colour of the state where there are colours. */
export const bar = (terminal: Pick<Terminal, 'hasColours'>, parts: readonly Drawn[]): string =>
  runsOf(parts)
    .map(({ drawn, length }) => styled(terminal, drawnStates[drawn].style, drawnStates[drawn].letter.repeat(length)))
    .join('');

interface Run {
  readonly drawn: Drawn;
  readonly length: number;
}

/** Parts that are drawn alike, together: each change of colour is some bytes. */
const runsOf = (parts: readonly Drawn[]): readonly Run[] => {
  const runs: Run[] = [];
  for (const drawn of parts) {
    const last = runs.at(-1);
    if (last?.drawn === drawn) runs.splice(-1, 1, { drawn, length: last.length + 1 });
    else runs.push({ drawn, length: 1 });
  }
  return runs;
};
