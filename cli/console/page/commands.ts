import { commandText } from '../../../lib/core/command-text.ts';

/** The commands that do in a terminal what a view shows, or what it advises: for its account, in its deployment. */
export const shownCommands = ({
  account,
  commandOptions,
}: {
  readonly account: string;
  readonly commandOptions: readonly string[];
}) => {
  const callfeed = (...words: readonly string[]) => commandText(['npx', 'callfeed', ...words, ...commandOptions]);
  return {
    /** The calls of a day, or from one instant to another. */
    calls: (
      range: { readonly day: string } | { readonly from: string; readonly to: string },
      filters: Readonly<Record<string, string>>,
    ) => callfeed('calls', ...optionsOf(range), '--account', account, ...Object.entries(filters).flatMap(filterOption)),
    events: () => callfeed('events', '--follow', '--account', account),
    redriveParked: () => callfeed('dead-letters', 'redrive', 'parked'),
    forwarded: () => callfeed('dead-letters', 'list', 'forwarded'),
    redriveQuarantined: (reason: string) => callfeed('quarantine', 'redrive', '--all', '--reason', reason),
    dismissQuarantined: (reason: string) =>
      callfeed('quarantine', 'dismiss', '--all', '--reason', reason, '--because', '…'),
  };
};

const optionsOf = (values: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);

const filterOption = ([name, value]: readonly [string, string]): readonly string[] => {
  if (name === 'status' && value === 'missed') return ['--missed'];
  return [`--${name}`, value, ...(name === 'customer' ? ['--show-personal'] : [])];
};
