/** Prints what a command was asked for. Answers the exit code. */
export const print = (text: string): number => {
  process.stdout.write(`${text}\n`);
  return 0;
};

/** Says what was wrong, where complaints go. Answers the exit code. */
export const printError = (code: number, text: string): number => {
  process.stderr.write(`${text}\n`);
  return code;
};
