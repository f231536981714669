import { describe, expectTypeOf, it } from 'vitest';
import type {
  AgentNow,
  CallDetails,
  CallfeedClient,
  CallList,
  Floor,
  FloorAt,
  Freshness,
  ListedCall,
} from '../../../lib/client/index.ts';

type Live<Data> = Extract<Data, { readonly freshness: 'live' }>;
type Stale<Data> = Extract<Data, { readonly freshness: 'stale' }>;

describe('the types of the client', () => {
  it('have agents only after a check of the freshness', () => {
    expectTypeOf<Floor>().not.toHaveProperty('agents');
    expectTypeOf<Floor>().not.toHaveProperty('lastKnownAgents');
    expectTypeOf<Live<Floor>['agents']>().toEqualTypeOf<readonly AgentNow[]>();
    expectTypeOf<Stale<Floor>['lastKnownAgents']>().toEqualTypeOf<readonly AgentNow[]>();
    expectTypeOf<Live<Floor>>().not.toHaveProperty('lastKnownAgents');
    expectTypeOf<Stale<Floor>>().not.toHaveProperty('agents');
    expectTypeOf<FloorAt>().not.toHaveProperty('agents');
    expectTypeOf<Stale<FloorAt>['asOf']>().toEqualTypeOf<string | undefined>();
  });

  it('have an age only after the first poll', () => {
    expectTypeOf<Freshness['freshness']>().toEqualTypeOf<'none' | 'live' | 'stale'>();
    expectTypeOf<Freshness>().not.toHaveProperty('ageSeconds');
    expectTypeOf<Live<Freshness>['ageSeconds']>().toEqualTypeOf<number>();
  });

  it('return a single agent as lastKnown', () => {
    type Read = Awaited<ReturnType<CallfeedClient['agent']>>;

    expectTypeOf<Read>().not.toHaveProperty('state');
    expectTypeOf<Read['lastKnown']>().toEqualTypeOf<AgentNow | undefined>();
  });

  it('know the closed sets of words, and no fields that rows do not have', () => {
    expectTypeOf<ListedCall['status']>().toEqualTypeOf<'answered' | 'not-answered' | 'unknown' | undefined>();
    expectTypeOf<ListedCall>().not.toHaveProperty('deliveries');
    expectTypeOf<ListedCall>().not.toHaveProperty('pk');
    expectTypeOf<NonNullable<CallDetails['call']>['recordings']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<Parameters<CallfeedClient['agentsInState']>[0]>().not.toEqualTypeOf<string>();
    expectTypeOf<'logged-out'>().not.toExtend<Parameters<CallfeedClient['agentsInState']>[0]>();
  });

  it('reject a misspelt field', () => {
    // @ts-expect-error It is listedAt.
    type Wrong = ListedCall['listAt'];
    // @ts-expect-error No agents before a check of the freshness.
    type Early = Floor['agents'];

    expectTypeOf<[Wrong, Early]>().not.toBeNever();
  });

  it('let lists be iterated', () => {
    expectTypeOf<CallList>().toExtend<AsyncIterable<ListedCall>>();
    expectTypeOf<ReturnType<CallfeedClient['watch']>>().toEqualTypeOf<AsyncIterable<Floor>>();
  });
});
