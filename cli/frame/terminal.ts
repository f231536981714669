import { styleText } from 'node:util';

export interface Terminal {
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
  /** Replaces the progress line. Without a terminal it writes a line every ten seconds, the first one after five. */
  readonly progress: (line: string) => void;
  readonly hasColours: boolean;
}

export interface Output {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
}

export const printedText = (write: (terminal: Pick<Terminal, 'print'>) => void): string => {
  const lines: string[] = [];
  write({ print: (line) => lines.push(`${line}\n`) });
  return lines.join('');
};

const clearLine = '\r\u001B[2K';

const firstProgressMs = 5_000;
const nextProgressMs = 10_000;

/** The terminal of a process. A NO_COLOR that is not empty turns colours off: https://no-color.org */
export const terminalOf = (
  stdout: Output,
  stderr: Output,
  noColour: string | undefined,
  now: () => number = Date.now,
): Terminal => {
  const clear = stderr.isTTY === true ? clearLine : '';
  let isProgressShown = false;
  const showProgress = (line: string) => {
    isProgressShown = true;
    stderr.write(`${clearLine}${line}`);
  };
  let dueMs = now() + firstProgressMs;
  const progressInLog = (line: string) => {
    if (now() < dueMs) return;
    dueMs = now() + nextProgressMs;
    stderr.write(`${line}\n`);
  };
  return {
    print(line) {
      // A result never follows the progress on its line.
      if (isProgressShown) stderr.write(clearLine);
      isProgressShown = false;
      stdout.write(`${line}\n`);
    },
    note(line) {
      isProgressShown = false;
      stderr.write(`${clear}${line}\n`);
    },
    progress: stderr.isTTY === true ? showProgress : progressInLog,
    hasColours: stdout.isTTY === true && (noColour === undefined || noColour === ''),
  };
};

export type Style = Parameters<typeof styleText>[0];

export const styled = ({ hasColours }: Pick<Terminal, 'hasColours'>, style: Style, text: string): string =>
  hasColours ? styleText(style, text, { validateStream: false }) : text;

/** Escapes control characters, with which a sender could rewrite what an operator sees, but for line breaks and tabs if asked. */
export const printable = (value: string, isMultiline = false): string =>
  value.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (character) =>
    isMultiline && /[\n\t]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A value as a line of JSON. `JSON.stringify` leaves some control characters; escaped, they mean the same. */
export const printableJson = (value: object): string => printable(JSON.stringify(value));
