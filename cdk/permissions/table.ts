import type { GrantedRight } from './rights-in.ts';

const heading: GrantedRight = { who: 'function', action: 'action', resource: 'resource', why: 'why' };

/** The rights as lines of text, in columns. */
export const table = (rights: readonly GrantedRight[]): readonly string[] => {
  const widthOf = (column: 'who' | 'action' | 'resource') =>
    Math.max(...[heading, ...rights].map((right) => right[column].length));
  const widths = { who: widthOf('who'), action: widthOf('action'), resource: widthOf('resource') };
  const line = ({ who, action, resource, why = '' }: GrantedRight) =>
    [who.padEnd(widths.who), action.padEnd(widths.action), resource.padEnd(widths.resource), why].join('  ').trimEnd();

  return [heading, ...rights].map(line);
};
