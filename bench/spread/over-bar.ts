import { figure } from '../costs/figures.ts';
import type { Spread } from './simulate.ts';
import type { Traffic } from './traffic.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
export const mostUnits = 1_000;

/** Which partition keys take more than a partition does, each in a sentence, with the rate up to which it would do. */
export const overBar = ({ callbacksASecond, accounts }: Traffic, spreads: readonly Spread[]): readonly string[] =>
  spreads
    .filter(({ most }) => most > mostUnits)
    .map(({ store, most }) => {
      const enough = Math.floor((callbacksASecond * mostUnits) / most);
      return (
        `With ${figure(callbacksASecond)} callbacks a second of ${accounts === 1 ? 'one account' : `${accounts} accounts`} a key of ` +
        `${store} takes ${figure(most)} write units in a second; a partition takes ${figure(mostUnits)}, ` +
        `which is reached at ${figure(enough)} callbacks a second.`
      );
    });
