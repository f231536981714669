import type { FaultsByCheck } from './try-fault.ts';

/** Faults that somebody planted and that every test passed then, each with the test that finds it now. */
export const overlookedFaults: FaultsByCheck = {
  unit: {
    'earlier-slot-polled': {
      what: 'A machine whose clock is behind polls an earlier slot again.',
      file: 'lib/agents/slot.ts',
      find: 'slotOf(now) <= slot;',
      replace: 'slotOf(now) === slot;',
      test: 'test/lib/agents/slot.test.ts',
    },
    'recorded-before-start': {
      what: 'Calls that were recorded minutes before their start are missing at the end of a range of recording.',
      file: 'lib/client/recorded-calls.ts',
      find: 'to: moved(range.to, beforeMs)',
      replace: 'to: range.to',
      test: 'test/lib/client/calls.test.ts',
    },
    'days-of-24-hours': {
      what: 'Midnights are 24 hours apart, also where the clocks change.',
      file: 'lib/core/time.ts',
      find: 'const midnight = startOfDay(date, zone);',
      replace:
        'const last = localDate(until, zone);\n    const midnight = new Date(Date.parse(startOfDay(last, zone)) - (Date.parse(last) - Date.parse(date))).toISOString();',
      test: 'test/lib/core/time.test.ts',
    },
    'typed-moment-offset': {
      what: 'A moment that is typed in the console has the offset of its zone at the same time in UTC.',
      file: 'cli/console/page/when.tsx',
      find: 'if (moment !== undefined) go(moment.at);',
      replace:
        "const near = Date.parse(typed + 'Z');\n    const shown = Date.parse(dayText(near, timeZone) + 'T' + timeText(near, timeZone) + 'Z');\n    if (moment !== undefined) go(new Date(near - (shown - near)).toISOString());",
      test: 'test/cli/console/browser.test.ts',
    },
    'empty-page-ends-scan': {
      what: 'The scan of quarantine ends at a page that its filter leaves empty.',
      file: 'cli/quarantine-entries.ts',
      find: 'yield Items.map(',
      replace: 'if (Items.length === 0) return;\n    yield Items.map(',
      test: 'test/cli/reading.test.ts',
    },
    'queue-key-forgotten': {
      what: 'Reconciliation may not use the customer’s key for its encrypted queue.',
      file: 'cdk/constructs/reconcile-calls.ts',
      find: "encryptedIn: ['dynamodb', 'secretsmanager', 'sqs']",
      replace: "encryptedIn: ['dynamodb', 'secretsmanager']",
      test: 'test/cdk/constructs/encryption-key.test.ts',
    },
    'region-of-reader': {
      what: 'A reader in another region may use the key in its own region, and not in that of the tables.',
      file: 'cdk/tables.ts',
      find: 'const { region } = Stack.of(this).splitArn(this.callsTableArn, ArnFormat.SLASH_RESOURCE_NAME);',
      replace: 'const { region } = Stack.of(this);\n    void ArnFormat;',
      test: 'test/cdk/tables.test.ts',
    },
    'failed-day-kept': {
      what: 'The console keeps a reading of a day that failed.',
      file: 'cli/console/day.ts',
      find: 'reading.done.catch(() => kept.get(key) === reading && kept.delete(key));',
      replace: 'reading.done.catch(() => undefined);',
      test: 'test/cli/console/server.test.ts',
    },
  },
};
