/** What has to find a planted fault: a part of the torture in its quick size, or the mutation test of one file. */
export type Check = 'crash' | 'schedules' | 'hostile' | 'load' | 'soak' | 'mutation';

/** A fault put into a copy of the project, so that the check that should find it can be seen to find it. */
export interface SeededFault {
  readonly name: string;
  /** What the fault makes of the project, as a mistake that somebody could make. */
  readonly what: string;
  readonly check: Check;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** For the mutation test: the file of which the mutants are made. */
  readonly mutated?: string;
}

/** The text with the fault in it. Throws if the place is not there, or there is more than one. */
export const withFault = (text: string, { name, file, find, replace }: SeededFault): string => {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(
      `The place for the fault “${name}” occurs ${parts.length - 1} times in ${file}, and must occur once.`,
    );
  return parts.join(replace);
};

/** The same place, left as it is. */
export const withoutFault = (fault: SeededFault): SeededFault => ({ ...fault, replace: fault.find });
