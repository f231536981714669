import type { AgentStretch } from '../../client/index.ts';
import type { Style } from '../output/styled.ts';

/** What a part of a day can be drawn as. */
export type Drawn = AgentStretch['state'] | 'not-yet';

/** The letter of each state, by which a bar can be read without colours, and its colour. */
export const drawnStates: Readonly<Record<Drawn, { readonly letter: string; readonly style: Style }>> = {
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
