/** A number of an answer, or a text that holds one: where it is, and the objects around it, the innermost first. */
export interface Leaf {
  /** By the names on the way to it, with `[]` for any place of a list and `{}` for any key that the data chose. */
  readonly shape: string;
  /** The same with every place and key. */
  readonly path: string;
  readonly value: number | string;
  readonly around: readonly Around[];
}

type Around = Readonly<Record<string, unknown>>;

const digits = /\d/;

/** Keys that data chooses, such as the states of agents or the days of a report: each is the same rule. */
const isChosen = (key: string): boolean => /^[a-z-]+$/.test(key) === false && digits.test(key);

/** Every number of an answer, and every text with a digit in it: an instant, a day, a sentence, a command, an id. */
export const leavesOf = (answer: unknown, shape: string): readonly Leaf[] =>
  walk(answer, { shape, path: shape, around: [] });

const walk = (value: unknown, at: Pick<Leaf, 'shape' | 'path' | 'around'>): readonly Leaf[] => {
  if (typeof value === 'number') return [{ ...at, value }];
  if (typeof value === 'string') return digits.test(value) ? [{ ...at, value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) =>
      walk(item, { ...at, shape: `${at.shape}[]`, path: `${at.path}[${index}]`, around: [{ index }, ...at.around] }),
    );
  return Object.entries(value).flatMap(([key, inner]) =>
    walk(inner, {
      shape: `${at.shape}.${isChosen(key) ? '{}' : key}`,
      path: `${at.path}.${key}`,
      around: [value as Around, ...at.around],
    }),
  );
};

/** A bar is of its time alone, so that more of them are opened than of the numbers of a table. */
const isOfBar = ({ shape }: Leaf): boolean => shape.endsWith('[][]') || shape.includes('.levels[].values[]');

const spread = <Item>(items: readonly Item[], most: number, from: number): readonly Item[] => {
  const step = Math.max(1, items.length / most);
  return items.filter((_, index) => Math.floor((index + from) % step) === 0 || items.length <= most);
};

/** Of each kind of number of an answer some: thousands of a table are of one kind. Which ones depends on `from`. */
export const someOfEachKind = (leaves: readonly Leaf[], from: number): readonly Leaf[] => {
  const kinds = Map.groupBy(leaves, (leaf) => {
    const { name } = Object(leaf.around.find((part) => typeof part['name'] === 'string'));
    return `${leaf.shape} ${name} ${isOfBar(leaf) && /\d+(?=\]$)/.exec(leaf.path)}`;
  });
  return [...kinds.values()].flatMap((all) => spread(all, all.some(isOfBar) ? 12 : 1, from));
};
