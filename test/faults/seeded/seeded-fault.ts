/** What has to find a seeded fault: a part of the fault injection in its quick size, a test file, or the mutation test. */
const checks = ['crash', 'schedules', 'fuzz', 'endurance', 'unit', 'mutation'] as const;
export type Check = (typeof checks)[number];

/** A fault that is put into a copy of the project, to prove that a check finds it. */
export interface SeededFault {
  readonly name: string;
  /** What the fault makes the project do. Each is a mistake that somebody could make. */
  readonly what: string;
  readonly check: Check;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** For `unit`: the vitest file that must fail. */
  readonly test?: string;
  /** For `mutation`: the file that is mutated. */
  readonly mutated?: string;
}

/** Seeded faults by the check that has to find them, and by their names. */
export type FaultsByCheck = Readonly<
  Partial<Record<Check, Readonly<Record<string, Omit<SeededFault, 'name' | 'check'>>>>>
>;

/** The faults as a list. */
export const faultsIn = (byCheck: FaultsByCheck): readonly SeededFault[] =>
  checks.flatMap((check) => Object.entries(byCheck[check] ?? {}).map(([name, fault]) => ({ name, check, ...fault })));

/** The text with the fault in it. Throws unless `find` occurs exactly once. */
export const withFault = (text: string, { name, file, find, replace }: SeededFault): string => {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(
      `The text that “${name}” replaces occurs ${parts.length - 1} times in ${file}. It must occur once.`,
    );
  return parts.join(replace);
};

/** The same fault without its effect: the check must then find nothing. */
export const withoutFault = (fault: SeededFault): SeededFault => ({ ...fault, replace: fault.find });
