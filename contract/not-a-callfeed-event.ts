import type { EventProblem } from './event-problem.ts';

/** Thrown for what is no event of this contract. Message and problems hold no value of what was given. */
export class NotACallfeedEvent extends Error {
  override readonly name = 'NotACallfeedEvent';
  /** Everything that is wrong, each with its place. */
  readonly problems: readonly EventProblem[];

  constructor(problems: readonly EventProblem[]) {
    super(problems.map(({ at, problem }) => (at === '' ? problem : `${at}: ${problem}`)).join('; '));
    this.problems = problems;
  }
}
