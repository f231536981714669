import { styleText } from 'node:util';
import type { Terminal } from '../terminal.ts';

/** How a text may stand out, as Node names it. */
export type Style = Parameters<typeof styleText>[0];

/** The text so that it stands out, where the terminal can show that. */
export const styled = ({ hasColours }: Pick<Terminal, 'hasColours'>, style: Style, text: string): string =>
  hasColours ? styleText(style, text, { validateStream: false }) : text;
