import type { LoginRow } from '../service/logins-rows.ts';

/** Records that nobody is in; the third one of them names its agent by an object. */
const malformed = [
  null,
  { AgentName: 'Nobody', AgentState: 'READY', SkillName: '' },
  { AgentId: { id: 'nested' }, AgentState: ['READY'] },
  [{ AgentId: 'too-deep', AgentState: 'READY' }],
] as const;

/** Malformed records among the good ones. */
export const withMalformed = (rows: readonly LoginRow[]): readonly unknown[] => [
  ...rows.slice(0, 1),
  ...malformed,
  ...rows.slice(1),
];

/** The first agent twice, the second time in another state. */
export const withDuplicate = (rows: readonly LoginRow[]): readonly LoginRow[] => [
  ...rows,
  ...rows.slice(0, 1).map((row) => ({ ...row, AgentState: row.AgentState === 'ACW' ? 'READY' : 'ACW' })),
];

const swapCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** The same, with states in another letter case and skills without a space between them. */
export const inOddCase = (rows: readonly LoginRow[]): readonly LoginRow[] =>
  rows.map((row) => ({
    ...row,
    AgentState: swapCase(row.AgentState),
    SkillName: row.SkillName.replaceAll(', ', ','),
  }));

/** The first agent in a state that nobody has documented. */
export const withUnknownState = (rows: readonly LoginRow[]): readonly LoginRow[] =>
  rows.map((row, index) => (index === 0 ? { ...row, AgentState: 'Lunching' } : row));

/** So many agents that do not exist, of more than a hundred bytes each. */
export const inventedRows = (count: number): readonly LoginRow[] =>
  Array.from({ length: count }, (_, index) => ({
    AgentId: `invented-${index}`,
    AgentName: `Invented ${index}`,
    PhoneNumber: '441632960000',
    AgentState: 'READY',
    SkillName: 'Sales, Support, Billing',
  }));
