import { printable } from './printable.ts';

const indent = 2;

/** The fields of a record, one a line. */
export const factLines = (record: object): readonly string[] => {
  const facts = Object.entries(record).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...facts.map(([name]) => name.length));
  return facts.map(
    ([name, value]) => `${' '.repeat(indent)}${printable(name).padEnd(width + indent)}${factText(value)}`,
  );
};

/** A fact in a line: texts as they are, lists with commas, anything else as JSON. */
export const factText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(factText).join(', ');
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
};
