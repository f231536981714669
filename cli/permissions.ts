/** What a command needs of AWS, and when, if not always. `docs/permissions.md` is written from it. */
export interface Permission {
  readonly on: string;
  readonly actions: readonly string[];
  readonly when?: string;
}

/** The names and time zones of accounts come from a row, which everybody may read who reads agents. */
export const accountNamesFrom = (when: string): Permission => ({
  on: 'Agents table',
  actions: ['dynamodb:GetItem'],
  when,
});

export const unlessNamed = accountNamesFrom('unless `--account` is given');
export const unlessNamedWithZone = accountNamesFrom('unless `--account` and `--time-zone` are given');

const receive = ['sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility'];

export const listsDeadLetters = (on: string): Permission => ({ on, actions: receive });
export const movesDeadLetters = (on: string, to: string): readonly Permission[] => [
  { on, actions: [...receive, 'sqs:DeleteMessage'] },
  { on: to, actions: ['sqs:SendMessage'] },
];
