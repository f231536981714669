import { it } from 'vitest';
import { isFull, mustHappen, show, tryCases } from '../property.ts';
import { settingsHistories } from './history.ts';
import { keepsUpWithItsAccount } from './keep-up.ts';

it('a call of an account that changes is read by the settings at its receipt, and by the last ones once it is renormalised', async () => {
  const counters = await tryCases(settingsHistories, isFull ? 3_000 : 100, keepsUpWithItsAccount);
  show('histories of an account that changes', counters);
  mustHappen(
    counters,
    'rows that renormalise revised',
    'rows with deliveries of different settings',
    'rows of the call report',
    'participants',
  );
});
