import { figure, type Part } from '../part.ts';
import { busiestKeys, type StoreLoad, type Traffic } from './busiest-keys.ts';
import { observeCalls } from './observed-calls.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const maxUnits = 1_000;

/** The stores with a key that is busier than a partition allows: one sentence each, with the rate that it allows. */
export const overLimit = (traffic: Traffic, loads: readonly StoreLoad[]): readonly string[] =>
  loads
    .filter(({ peakUnits }) => peakUnits > maxUnits)
    .map(({ store, peakUnits }) => {
      const allowed = Math.floor((traffic.callbacksASecond * maxUnits) / peakUnits);
      return (
        `With ${figure(traffic.callbacksASecond)} callbacks a second of ${accountsOf(traffic)}, a key of ${store} takes ` +
        `${figure(Math.round(peakUnits))} write units in a second. A partition takes ${figure(maxUnits)}, ` +
        `so the limit is ${figure(allowed)} callbacks a second.`
      );
    });

const accountsOf = ({ accounts }: Traffic): string => (accounts === 1 ? 'one account' : `${accounts} accounts`);

const callbacksASecond = 5_000;

const scenarios: readonly Traffic[] = [
  { callbacksASecond, accounts: 200 },
  { callbacksASecond, accounts: 1 },
];

/** How evenly the partition keys of the calls' table and its indexes take 5,000 callbacks a second. */
export const spread: Part = {
  name: 'spread',
  what: 'write units of the busiest partition keys at 5,000 callbacks a second, by calculation',
  async run({ onProgress }) {
    onProgress('observing what each kind of callback writes');
    const observed = await observeCalls();
    const results = scenarios.map((traffic) => ({ traffic, loads: busiestKeys(traffic, observed) }));
    return {
      tables: results.map(({ traffic, loads }) => ({
        title: `${figure(traffic.callbacksASecond)} callbacks a second of ${accountsOf(traffic)}: write units a second`,
        table: tableOf(loads),
      })),
      data: results,
      failures: results.flatMap(({ traffic, loads }) => overLimit(traffic, loads)),
    };
  },
};

const tableOf = (loads: readonly StoreLoad[]) => ({
  head: ['store', 'all keys', 'busiest key, mean', 'busiest key, peak of a day', 'its share'],
  rows: loads.map(({ store, allUnits, meanUnits, peakUnits }) => [
    store,
    figure(allUnits),
    figure(meanUnits),
    figure(Math.round(peakUnits)),
    // None of these calls is late, so the index of late calls has no busiest key.
    allUnits === 0 ? '–' : `${((100 * meanUnits) / allUnits).toFixed(2)} %`,
  ]),
});
