import type { Part } from '../part.ts';
import { figure } from '../table.ts';
import { observeCalls } from './observed-calls.ts';
import { type Simulated, type Spread, simulate } from './simulate.ts';
import type { Traffic } from './traffic.ts';
import { writesByKind } from './writes-by-owner.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const maxUnits = 1_000;

/** Which partition keys take more than a partition does, each in a sentence, with the rate up to which it would do. */
export const overBar = ({ callbacksASecond, accounts }: Traffic, spreads: readonly Spread[]): readonly string[] =>
  spreads
    .filter(({ most }) => most > maxUnits)
    .map(({ store, most }) => {
      const enough = Math.floor((callbacksASecond * maxUnits) / most);
      return (
        `With ${figure(callbacksASecond)} callbacks a second of ${accounts === 1 ? 'one account' : `${accounts} accounts`} a key of ` +
        `${store} takes ${figure(most)} write units in a second; a partition takes ${figure(maxUnits)}, ` +
        `which is reached at ${figure(enough)} callbacks a second.`
      );
    });

const callbacksASecond = 5_000;
const revisedWithinSeconds = 600;
const hourSeconds = 3_600;

/** The day of many customers' accounts; and an hour, of which any second is like the others, of a single large account. */
const scenarios: readonly { readonly traffic: Traffic; readonly hours: number }[] = [
  { traffic: { callbacksASecond, revisedWithinSeconds, accounts: 200 }, hours: 24 },
  { traffic: { callbacksASecond, revisedWithinSeconds, accounts: 1 }, hours: 1 },
];

/** How evenly the partition keys of the calls' table and its indexes take 5,000 callbacks a second. */
export const spread: Part = {
  name: 'spread',
  what: 'write units of the busiest partition keys at 5,000 callbacks a second for a day, by simulation',
  async run({ onProgress }) {
    const written = writesByKind(await observeCalls());
    const simulated = scenarios.map(({ traffic, hours }) => {
      const onSecond = (second: number): void => {
        if (second % hourSeconds === 0) onProgress(`${namedBy(traffic)}: hour ${second / hourSeconds + 1} of ${hours}`);
      };
      return { traffic, ...simulate(traffic, written, { seconds: hours * hourSeconds, onSecond }) };
    });
    return {
      tables: simulated.map((one) => ({ title: titleOf(one), table: tableOf(one.spreads) })),
      data: { simulated },
      failures: simulated.flatMap(({ traffic, spreads }) => overBar(traffic, spreads)),
    };
  },
};

const namedBy = ({ accounts }: Traffic): string => (accounts === 1 ? 'one account' : `${accounts} accounts`);

const titleOf = ({ traffic, seconds, callbacks }: Simulated & { readonly traffic: Traffic }): string =>
  `${figure(callbacks)} callbacks of ${namedBy(traffic)} in ${seconds / hourSeconds} h: write units a second by partition key`;

const tableOf = (spreads: readonly Spread[]) => ({
  head: ['store', 'all keys', 'keys in a second', 'busiest key, mean', 'busiest key in any second', 'its share'],
  rows: spreads.map(({ store, meanUnits, meanKeys, meanMost, most }) => [
    store,
    figure(meanUnits),
    figure(meanKeys),
    figure(meanMost),
    figure(most),
    `${((100 * meanMost) / meanUnits).toFixed(2)} %`,
  ]),
});
