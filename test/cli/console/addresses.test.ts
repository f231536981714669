import { expect, it } from 'vitest';
import { listedRange, rangeParameters } from '../../../cli/console/call-range.ts';
import { addressOf, callsAsked, hashOf, searchOf } from '../../../cli/console/page/hash.ts';
import { jsonLines } from '../support/cli-run.ts';
import { forThisFile, serveForThisFile } from '../support/local-deployment.ts';
import { startReadingDeployment } from '../support/reading-deployment.ts';

const now = new Date('2026-11-22T09:00:20.000Z');
const timeZone = 'Asia/Kolkata';
const deployment = await forThisFile(startReadingDeployment());
const served = await serveForThisFile({
  deployment: await deployment.connect(),
  location: { stack: '' },
  clock: () => now,
  isPersonal: true,
});

const start = '2026-11-20T18:30:00.000Z';
const end = '2026-11-21T06:00:00.000Z';

it.each<[title: string, hash: string, query: object]>([
  ['as a copied link has it', '#/calls?from=2026-11-21T00%3A00%3A00%2B05%3A30', { from: start }],
  ['with a raw +', '#/calls?from=2026-11-21T00:00:00+05:30&to=2026-11-21T11:30+05:30', { from: start, to: end }],
  ['of a moment with a raw +', '#/floor?at=2026-11-21T11:30:00.000+05:30', { at: end }],
  ['behind UTC', '#/day?at=2026-11-21T01:00:00-05:00', { at: end }],
  ['that was cut off in copying, which is none', '#/calls?from=2026-11-21T00:00:00+05', {}],
  ['without a zone, which is none', '#/calls?at=2026-11-21T00:00:00', {}],
  ['of no day, which is none', '#/calls?at=2026-13-21T00:00:00Z', {}],
])('an address has an instant %s', (_title, hash, query) => {
  expect(addressOf(hash).query).toEqual(query);
});

it.each<[title: string, text: string, customer: string]>([
  ['with a raw + is one of the country that it names', '+4930123456', '+4930123456'],
  ['with an encoded + is so too', '%2B4930123456', '+4930123456'],
  ['has the blanks in it', '0984+0012345', '0984 0012345'],
  ['has no + where a blank was encoded', '%209840012345', ' 9840012345'],
])('a number in an address %s', (_title, text, customer) => {
  expect(addressOf(`#/calls?customer=${text}&day=2026-11-21`).query).toEqual({ customer, day: '2026-11-21' });
  expect(addressOf(hashOf('calls', undefined, { customer: customer.trim() })).query).toEqual({
    customer: customer.trim(),
  });
});

/** What a list answers, and what its command prints, which is known from the address alone. */
const asked = async (search: string) => {
  const query = callsAsked(addressOf(`#/calls?${search}`), timeZone);
  const answer = await fetch(`${served.url}console/api/calls?${searchOf({ ...query })}`);
  return {
    query,
    status: answer.status,
    options: rangeParameters(query, timeZone, now),
    ...Object(await answer.json()),
  };
};

it.each<[search: string, options: readonly string[], calls: number]>([
  ['', ['--day', '2026-11-22'], 0],
  ['day=', ['--day', '2026-11-22'], 0],
  ['day=2026-11-21', ['--day', '2026-11-21'], 1],
  ['day=yesterday', ['--day', '2026-11-21'], 1],
  ['to=2026-11-21T11:30:00+05:30', ['--day', '2026-11-22'], 0],
  ['from=2026-11-21T00:00:00+05:30', ['--from', start, '--to', '2026-11-21T18:29:59.999Z'], 1],
  ['from=2026-11-19T00:00:00Z&to=2026-11-21T11:30:00+05:30', ['--from', '2026-11-19T00:00:00.000Z', '--to', end], 6],
  ['at=2026-11-21T06:00:00Z', ['--from', start, '--to', end], 1],
  [
    'at=2026-11-21T06:00:00Z&day=2026-11-20',
    ['--from', '2026-11-19T18:30:00.000Z', '--to', '2026-11-20T18:29:59.999Z'],
    5,
  ],
  ['at=2026-11-20T06:00:00Z&day=2026-11-21', ['--from', start, '--to', start], 0],
])(
  'the command of a list is that of its address before it was read, and lists its calls: “%s”',
  async (search, options, calls) => {
    const found = await asked(search);
    const listed = await deployment.at(['calls', ...options, '--account', 'demo', '--json'], { clock: () => now });
    const ids = (all: readonly object[]) => all.map((call) => Object(call).callId);

    expect([found.status, found.options]).toEqual([200, options]);
    expect(ids(jsonLines(listed))).toEqual(ids(found.calls));
    expect(found.calls).toHaveLength(calls);
    expect(listedRange(found.query, timeZone, now)).toMatchObject({ days: found.days, from: found.from, to: found.to });
  },
);

it('the command of missed calls of a state is as of the moment of the list, if that is over', () => {
  const optionsAt = (at: string) => rangeParameters({ day: '2026-11-21', at, state: 'open' }, timeZone, now);
  expect(optionsAt(end)).toEqual(['--from', start, '--to', end, '--as-of', end]);
  expect(optionsAt('2026-11-23T06:00:00.000Z')).not.toContain('--as-of');
});

it.each([
  ['day=2026-02-30', /Wrong: day \(a day such as 2026-11-20, today or yesterday\)\.$/],
  ['day=2026-13-01', /Wrong: day \(a day such as/],
  ['day=21.11.2026', /Wrong: day \(a day such as/],
  ['day=9999-12-31', /Wrong: day \(a day such as/],
  ['from=2026-11-21T06:00:00Z&to=2026-11-20T06:00:00Z', /Wrong: from, to \(a range/],
  ['from=9999-12-31T06:00:00Z', /Wrong: day \(a day such as/],
])('a list that cannot be read has no command, and says what is allowed: %s', async (search, message) => {
  expect(await asked(search)).toMatchObject({
    status: 400,
    options: undefined,
    message: expect.stringMatching(message),
  });
});
