import fc from 'fast-check';
import { fates } from '../../world/fate.ts';
import type { Strike } from '../strike.ts';
import { posts } from './arbitrary-posts.ts';
import type { Activity, CallsHistory, Step } from './calls-history.ts';

const via = fc.constantFrom(0 as const, 1 as const);

/** Mostly on by some seconds; now and then a message's hiding time passes, or a clock that was wrong is set. */
const clockMs = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
  { weight: 2, arbitrary: fc.constant(400_000) },
  { weight: 2, arbitrary: fc.integer({ min: -5_000, max: -1 }) },
  { weight: 1, arbitrary: fc.integer({ min: -300_000, max: -5_000 }) },
);

const slots = ['receiver 0', 'receiver 1', 'recovery', 'publisher'] as const;

const activity: fc.Arbitrary<Activity> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constant('post' as const), via, post: posts }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('repeat' as const), via, of: fc.nat({ max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), via }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('recover' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('publish' as const), batch: fc.constantFrom(100, 1, 2, 3) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), slot: fc.constantFrom(...slots) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clock' as const), ms: clockMs }) },
);

const step: fc.Arbitrary<Step> = fc.record({
  clockMs,
  together: fc.array(activity, { minLength: 1, maxLength: 3 }),
});

/** One call that goes wrong is tried again by the SDK; an outage is longer. */
const strike = (...services: readonly Strike['service'][]): fc.Arbitrary<Strike> =>
  fc.record({
    from: fc.constantFrom(0, 0, 1, 2, 3, 4, 6),
    count: fc.constantFrom(1, 1, 2, 2, 4, 30),
    fate: fc.constantFrom(...fates.filter((fate) => fate !== 'pass'), 'partial' as const),
    service: fc.constantFrom(...services),
  });

/** The table is down, and parking meets something as well. */
const outage: fc.Arbitrary<readonly Strike[]> = fc
  .tuple(fc.constantFrom('fail' as const, 'throttle' as const), fc.constantFrom(...fates), fc.constantFrom(3, 5, 30))
  .map(([down, parking, count]) => [
    { from: 0, count: 30, fate: down, service: 'dynamodb' },
    { from: 0, count, fate: parking, service: 'sqs' },
  ]);

/** The first processes of a slot; those after them meet nothing bad. */
const lives = (...services: readonly Strike['service'][]) => {
  const struck = fc.array(strike(...services), { minLength: 1, maxLength: 2 });
  const some = { weight: services.includes('sqs') ? 2 : 0, arbitrary: outage };
  const life = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: struck }, some);
  return fc.array(life, { maxLength: 3 });
};

/** Histories of two accounts' calls: shrunk, they have fewer steps, fewer faults and smaller posts. */
export const callsHistories: fc.Arbitrary<CallsHistory> = fc.record({
  turnsSeed: fc.nat({ max: 999_999 }),
  processes: fc.record({
    'receiver 0': lives(undefined, 'dynamodb', 'sqs'),
    'receiver 1': lives(undefined, 'dynamodb'),
    recovery: lives(undefined),
    publisher: lives(undefined),
  }),
  steps: fc.array(step, { minLength: 1, maxLength: 7 }),
});
