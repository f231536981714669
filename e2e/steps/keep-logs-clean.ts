import { logLines } from '../cloud/log-lines.ts';
import { account } from '../examples.ts';
import { holds, same } from '../runner/facts.ts';
import type { Stage } from '../stage.ts';

/** A key, and what the examples say of people: numbers, names, a comment, recordings. */
const secrets = [account.apiKey, '0900000', 'Asha', 'Ravi', 'Wants a call back', 'recordings.example.com'];

/** Throws if a key or something of a person stands in a log of the functions, or if they wrote none. */
export const keepLogsClean = async (stage: Stage): Promise<void> => {
  const lines = await logLines(stage);

  holds(
    'The functions wrote logs',
    lines.some((line) => line.includes('CallbackRecordsStored')),
    lines.slice(-20),
  );
  same(
    'Lines with something secret',
    lines.filter((line) => secrets.some((secret) => line.includes(secret))),
    [],
  );
};
