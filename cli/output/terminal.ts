import { styleText } from 'node:util';

/** Where a command writes, and what can be written there. */
export interface Terminal {
  /** Writes a line of the result. */
  readonly print: (line: string) => void;
  /** Writes a line for whoever watches, which is no result. */
  readonly note: (line: string) => void;
  /** Replaces the line that says how far the command has come; nothing where nobody watches. */
  readonly progress: (line: string) => void;
  /** Whether results may be coloured. */
  readonly hasColours: boolean;
  /** How many characters a line of a result may have before it is broken; 80 where there is no terminal. */
  readonly width: number;
}

/** The part of a stream that a terminal takes. */
export interface Output {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const clearLine = '\r\u001B[2K';

/** The terminal of a process. By convention a NO_COLOR that is not empty forbids colours: https://no-color.org */
export const terminalOf = (stdout: Output, stderr: Output, noColour: string | undefined): Terminal => {
  const clear = stderr.isTTY === true ? clearLine : '';
  return {
    print: (line) => stdout.write(`${line}\n`),
    note: (line) => stderr.write(`${clear}${line}\n`),
    progress: (line) => stderr.isTTY === true && stderr.write(`${clearLine}${line}`),
    hasColours: stdout.isTTY === true && (noColour === undefined || noColour === ''),
    width: stdout.columns ?? 80,
  };
};

/** How a text may stand out, as Node names it. */
export type Style = Parameters<typeof styleText>[0];

/** The text so that it stands out, where the terminal can show that. */
export const styled = ({ hasColours }: Pick<Terminal, 'hasColours'>, style: Style, text: string): string =>
  hasColours ? styleText(style, text, { validateStream: false }) : text;

/**
 * The text without what a terminal would obey: whoever posts to us could otherwise recolour, clear or rewrite what an
 * operator sees. Breaks of lines stay where `isText` says that the value is one.
 */
export const printable = (value: string, isText = false): string =>
  value.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (character) =>
    isText && /[\n\t]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A value as a line of JSON, which leaves some of these characters as they are; escaped, it is the same JSON. */
export const printableJson = (value: object): string => printable(JSON.stringify(value));
