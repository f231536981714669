import type { Found } from './found.ts';
import type { Ledger } from './ledger.ts';
import { proveEvents } from './prove-events.ts';
import { proveQuarantine } from './prove-quarantine.ts';
import { proveRows } from './prove-rows.ts';

/** Compares all that there is with all that was posted and answered. */
export const prove = (ledger: Ledger, found: Found): readonly string[] => [
  ...ledger.wrongAnswers.map((wrong) => `A post was answered ${wrong}.`),
  ...proveRows(ledger, found.calls),
  ...proveEvents(found),
  ...proveQuarantine(ledger, found.quarantine),
];
