/** Prints the result of a command to standard output. Returns the exit code 0. */
export const print = (text: string): number => {
  process.stdout.write(`${text}\n`);
  return 0;
};

/** Prints an error to standard error. Returns the exit code that it was given. */
export const printError = (code: number, text: string): number => {
  process.stderr.write(`${text}\n`);
  return code;
};
