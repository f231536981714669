import type { RowChange } from './row-change.ts';

/**
 * When somebody asked that a row be told again, if it is that of which the change tells. The mark stays until the row is
 * written anew, so a change that has it before and after, or only before, asks for nothing.
 */
export const replayedAt = ({ before, after }: RowChange): string | undefined => {
  const asked = after?.['replayedAt'];
  const isNew = before !== undefined && before['replayedAt'] !== asked;
  return typeof asked === 'string' && isNew ? asked : undefined;
};
