/** Collects an option that may be given several times. */
export const several = (typed: string, before: readonly string[] = []): readonly string[] => [...before, typed];
