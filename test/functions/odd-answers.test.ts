import { describe, expect, it } from 'vitest';
import { onlyFor, ways } from '../support/odd-answers.ts';
import { sentBy } from '../support/sent-requests.ts';
import { fewOddities } from './support/oddities.ts';
import { isOfAws } from './support/surroundings.ts';
import { isDone, leftBy, workAfterPause, workedAsUsual, workThrough } from './support/work-through.ts';
import { allWorks, type Work, works } from './support/works.ts';

/** Megabytes take time: the long test tries them with every odd answer. */
const {
  'archives a large recording': large,
  'removes the parts of a recording that is there already': parts,
  ...small
} = allWorks;

describe.each(Object.entries<Work>(small))('a function that %s', (_title, work) => {
  it.each(Object.entries(fewOddities))('does so in the end where it is answered %s', async (_how, oddity) => {
    const usual = await workedAsUsual(work);
    const { rounds, state } = await workThrough(work, oddity);

    expect(rounds.flatMap(leftBy)).toEqual([]);
    expect(state).toEqual(usual.state);
  });

  it.each(['by a reset', 'never'] as const)('does so at once where a kept connection is answered %s', async (how) => {
    const round = await workAfterPause(work, ways[how]);

    expect([leftBy(round), isDone(round)]).toEqual([[], work.rounds === undefined]);
  });
});

/** The SDK asks AWS again where a kept connection is dead. Nobody repeats what another host may have got. */
it.each(['polls the agents', 'reads a day of the report', 'posts a delivery', 'archives a recording'] as const)(
  'a function that %s asks no host on a connection that it kept through a pause',
  async (title) => {
    const { kept } = await workAfterPause(works[title]);

    expect(kept.filter(({ service }) => !isOfAws(service))).toEqual([]);
  },
);

it('a recording is archived whose parts S3 takes half a minute for', async () => {
  const slowly = ways['after half a minute'];
  const { rounds, state } = await workThrough(large, {
    mood: ({ service }) => (service === 's3' ? slowly : undefined),
  });

  expect(rounds.map(isDone)).toEqual([true]);
  expect(state).toMatchObject({ objects: [expect.stringContaining('"size":9000000')], openUploads: 0 });
});

it('no request is open when a recording is archived, though S3 never says that its parts are removed', async () => {
  const { rounds } = await workThrough(parts, { mood: onlyFor('AbortMultipartUpload', ways.never) });

  expect(rounds.map(isDone)).toEqual([true]);
  expect(rounds.flatMap(leftBy)).toEqual([]);
});

it('each request that functions may send to AWS is sent by one of these pieces of work', async () => {
  const sent = new Set<string>();
  for (const work of Object.values<Work>(allWorks))
    for (const operation of (await workedAsUsual(work)).asked) sent.add(operation);

  expect(sentBy('functions').filter((operation) => !sent.has(operation))).toEqual([]);
});
