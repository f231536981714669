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
