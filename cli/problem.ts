/** Ends a command with a sentence for its user. Exit code 2 means that the command itself was wrong. */
export class Problem extends Error {
  readonly exitCode: 1 | 2;

  constructor(sentence: string, exitCode: 1 | 2 = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}
