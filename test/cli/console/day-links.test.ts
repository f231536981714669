import { describe, expect, it } from 'vitest';
import { filterOptions, filtersIn } from '../../../cli/calls/set-filters.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { aWeekBefore, day, numbersOf, type Opened, type Query, serveSimulatedDay } from './simulated-day.ts';

const simulated = await serveSimulatedDay(60);

const printed = async ({ day: ofDay = '', from, to = '', ...filters }: Query): Promise<number> => {
  const range = from === undefined ? ['--day', ofDay] : ['--from', from, '--to', to];
  const args = ['calls', ...range, ...filterOptions(filtersIn(filters)), '--json'];
  const clock = () => new Date(simulated.now);
  return jsonLines(await cli(args, { connect: async () => simulated.deployment, clock })).length;
};

/** The same numbers, as a list counts what they open. */
const countedBy = async (countOf: (query: Query) => Promise<number>, numbers: readonly Opened[]) => {
  const found: Opened[] = [];
  for (const one of numbers) found.push({ ...one, number: await countOf(one.query) });
  return found;
};

const firstOfEach = <Item>(items: readonly Item[], kindOf: (item: Item) => string) =>
  [...Map.groupBy(items, kindOf).values()].flatMap((all) => all.slice(0, 1));

describe.each([[{ day, by: 'agent' }], [{ day, by: 'hour' }], [{ from: aWeekBefore, to: day, by: 'day' }]])(
  'every number of %o',
  (query) => {
    it('is how many calls its list has', async () => {
      const numbers = numbersOf(await simulated.ask('day', { ...query, within: '13' }));
      expect(numbers.length).toBeGreaterThan(50);
      expect(await countedBy(simulated.listed, numbers)).toEqual(numbers);
    });
  },
);

it('a part of the day up to a moment has as many calls as its list', async () => {
  const part = { day, from: `${day}T04:00:00.000Z`, to: `${day}T10:00:00.000Z` };
  const countsOf = async (query: Query) => [
    (await simulated.ask('calls', query)).calls.length,
    (await simulated.ask('quarters', query)).count,
  ];
  const [[whole, count], upTo] = [await countsOf(part), await countsOf({ ...part, at: `${day}T06:00:00.000Z` })];

  expect(whole).toBe(count);
  expect(upTo[0]).toBe(upTo[1]);
  expect(upTo[0]).toBeLessThan(whole ?? 0);
  expect(upTo[0]).toBeGreaterThan(0);
});

it('a day that is asked for by day, as an address of a period may say, is by agent', async () => {
  expect(await simulated.ask('day', { day, by: 'day' })).toMatchObject({ by: 'agent' });
});

it('what became of missed calls selects the same calls by quarter as in the list', async () => {
  const query = { day, state: 'rang-again' };
  const { calls } = await simulated.ask('calls', query);
  const { count, quarters } = await simulated.ask('quarters', query);

  expect(calls.length).toBeGreaterThan(0);
  expect([count, quarters.reduce((sum, [, , missed]) => sum + missed, 0)]).toEqual([calls.length, calls.length]);
});

it('the bars of an agent count by what of each call belongs to that agent, as the list does', async () => {
  const query = { day, agent: 'asha01' };
  const { count, quarters } = await simulated.ask('quarters', query);
  const sums = [1, 2, 3].map((place) => quarters.reduce((sum, bar) => sum + (bar[place] ?? 0), 0));
  const lists = [{}, { counted: 'answered' }, { counted: 'missed' }, { counted: 'other' }];

  expect([count, ...sums]).toEqual(await Promise.all(lists.map((one) => simulated.listed({ ...query, ...one }))));
  expect(count).toBeGreaterThan(sums[0] ?? 0);
});

it('a number of each kind is how many calls the command lists', async () => {
  const numbers = numbersOf(await simulated.ask('day', { day, by: 'agent', within: '13' }));
  const nameOf = ({ what }: Opened) => what.split(': ')[1] ?? '';
  const kinds = firstOfEach(numbers, nameOf);

  expect(kinds.map(nameOf)).toEqual(
    expect.arrayContaining(['answeredByOthers', 'answeredLate', 'shortAbandoned', 'undecided', 'serviceLevel']),
  );
  expect(await countedBy(printed, kinds)).toEqual(kinds);
});
