import { answers } from '../../lib/callback/refusal.ts';
import { allRows } from '../cloud/rows.ts';
import { example } from '../examples.ts';
import { same } from '../runner/facts.ts';
import type { Stage } from '../stage.ts';

/** As deployed, the secret holds a text that is no list of accounts: whoever posts is asked to try again later. */
export const refuseWithoutAccounts = async ({ api, clients, outputs }: Stage): Promise<void> => {
  same('The answer to a look at the address', await api.get('/callDetails'), {
    status: 200,
    body: { service: 'callfeed' },
  });
  same('The answer to a call before there is any account', await api.post(example('call-summary')), {
    status: 503,
    body: { error: 'accounts-not-set-up', message: answers['accounts-not-set-up'].message, ...nothingKept },
  });
  same('What was stored of it', await allRows(clients.dynamodb, outputs.CallsTableName), []);
};

const nothingKept = { stored: 0, duplicates: 0, quarantined: 0 };
