import type { AccessPattern } from './access-patterns.ts';
import { jsonBlock } from './markdown.ts';

/** The names that the tables have in the sandbox. */
export const sandboxTable = { calls: 'callfeed-calls', agents: 'callfeed-agents' } as const;

/** What the page says of one question to a table. */
export const accessSection = ({ question, table, key, request, advice }: AccessPattern): string =>
  [
    `#### ${question}`,
    `${request.operation === 'query' ? 'Query' : 'GetItem'}, ${key}.${advice === undefined ? '' : ` ${advice}`}`,
    jsonBlock({ TableName: sandboxTable[table], ...request.input }),
  ].join('\n\n');
