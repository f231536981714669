/** Remembers each kind of breach once: a fault that shows in every hundredth case is one fault. */
export interface BreachBook {
  readonly note: (breach: string, about: string) => void;
  readonly failures: () => readonly string[];
}

/** Without what differs from case to case. */
const kindOf = (breach: string): string => breach.replace(/".*"/s, '…').replace(/\d+/g, '#').slice(0, 100);

/** A book with nothing in it. */
export const createBreachBook = (): BreachBook => {
  const kinds = new Map<string, { readonly first: string; readonly times: number }>();

  return {
    note(breach, about) {
      const kind = kindOf(breach);
      const { first = `${breach} (${about})`, times = 0 } = kinds.get(kind) ?? {};
      kinds.set(kind, { first, times: times + 1 });
    },
    failures: () => [...kinds.values()].map(({ first, times }) => (times === 1 ? first : `${times} times: ${first}`)),
  };
};
