import type { Read } from '../../client/index.ts';

/** A request to DynamoDB and what it took, in a line. */
export const readLine = ({ operation, table, index, rows, units }: Read): string =>
  `${operation} on ${table}${index === undefined ? '' : `, index ${index}`}: ${rows} ${rows === 1 ? 'row' : 'rows'}, ${units} read units`;
