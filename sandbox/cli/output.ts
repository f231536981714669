/** Prints a line of what was asked for. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Says what was wrong, or how far it is, where it does not get into what is printed. */
export const complain = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
