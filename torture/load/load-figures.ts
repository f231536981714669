import { rounded } from '../figures/rounded.ts';
import type { Figure } from '../part.ts';
import { sustainedRate } from './climb.ts';
import type { Found } from './found.ts';
import type { Ledger } from './ledger.ts';
import { repeatsIn } from './prove-events.ts';
import type { Sender } from './sender.ts';
import type { Step } from './step.ts';
import type { UnderFaults } from './under-faults.ts';

const stepFigures = ({ rate, achieved, p50, p90, p99, max, lag, cpu }: Step): readonly Figure[] => {
  const at = `at ${rate} posts/s:`;
  return [
    { what: `${at} taken in`, value: rounded(achieved), unit: '1/s' },
    { what: `${at} reply, median`, value: rounded(p50), unit: 'ms' },
    { what: `${at} reply, 90 %`, value: rounded(p90), unit: 'ms' },
    { what: `${at} reply, 99 %`, value: rounded(p99), unit: 'ms' },
    { what: `${at} reply, slowest`, value: rounded(max), unit: 'ms' },
    { what: `${at} row to event, slowest`, value: rounded(lag, 0), unit: 'ms' },
    { what: `${at} processor, sandbox and functions`, value: rounded(100 * cpu.sandbox, 0), unit: '%' },
    { what: `${at} processor, DynamoDB Local`, value: rounded(100 * cpu.dynamodb, 0), unit: '%' },
    { what: `${at} processor, who posts`, value: rounded(100 * cpu.poster, 0), unit: '%' },
  ];
};

/** All that was measured, as figures. */
export interface Measured {
  readonly steps: readonly Step[];
  readonly ledger: Ledger;
  readonly sender: Sender;
  readonly found: Found;
  readonly faults: UnderFaults;
}

/** The figures of this part: the ladder first, then the faults. */
export const loadFigures = ({ steps, ledger, sender, found, faults }: Measured): readonly Figure[] => {
  const answers = sender.answers();
  const sum = (isMeant: (word: string) => boolean): number =>
    [...answers].reduce((total, [word, count]) => total + (isMeant(word) ? count : 0), 0);
  const deliveries = [...ledger.records.values()].flatMap((record) => [...record.deliveries.values()]);
  const told = found.events.filter(({ detail }) => detail['callId'] !== undefined);

  return [
    ...steps.flatMap(stepFigures),
    { what: 'highest rate that was sustained', value: sustainedRate(steps), unit: '1/s' },
    { what: 'posts, with those sent again', value: sum(() => true) },
    ...[...answers].map(([word, value]): Figure => ({ what: `posts answered: ${word}`, value })),
    {
      what: 'distinct deliveries acknowledged',
      value: deliveries.filter((one) => one.acknowledgedAt !== undefined).length,
    },
    { what: 'legs and participants', value: ledger.records.size },
    { what: 'rows in the table, with index entries', value: found.calls.length },
    { what: 'records parked before the kill', value: faults.parkedBefore },
    { what: 'posts under way at the kill', value: faults.underwayAtKill },
    { what: 'away after the kill', value: rounded(faults.awaySeconds), unit: 's' },
    { what: 'events of calls and participants', value: told.length },
    { what: 'of them repeats', value: repeatsIn(told) },
    { what: 'rows in quarantine', value: found.quarantine.length },
  ];
};
