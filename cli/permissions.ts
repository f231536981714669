/** What a command needs of AWS, and when, if not always. `docs/permissions.md` is written from it. */
export interface Permission {
  readonly on: string;
  readonly actions: readonly string[];
  readonly when?: string | undefined;
}

/** Actions, with blanks between them, on something. */
export const on = (what: string, actions: string, when?: string): Permission => ({
  ...{ on: what, actions: actions.split(' '), when },
});

/** The names and time zones of accounts come from a row, which everybody may read who reads agents. */
export const accountNamesFrom = (when: string): Permission => on('Agents table', 'dynamodb:GetItem', when);
export const unlessNamed = accountNamesFrom('unless `--account` is given');

const receive = 'sqs:ReceiveMessage sqs:ChangeMessageVisibility';

export const listsDeadLetters = (of: string, when?: string): Permission => on(of, receive, when);
export const movesDeadLetters = (of: string, to: string): readonly Permission[] => [
  on(of, `${receive} sqs:DeleteMessage`),
  on(to, 'sqs:SendMessage'),
];
