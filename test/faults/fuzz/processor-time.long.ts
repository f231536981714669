import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customerSearch } from '../../../cli/erase/erase-customer.ts';
import { applyDeliveries } from '../../../lib/calls/record-delivery.ts';
import { waitingCallers } from '../../../lib/contract/missed-callers.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { isFound, withoutNumbers } from '../../../lib/core/numbers-in-text.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { contentTypes, frames, largePost, largestBody, units } from '../../fixtures/large-posts.ts';
import { holdsAsync } from '../../support/arbitraries.ts';
import { httpApiEvent, type Request } from '../../support/local-servers.ts';
import { keyedDelivery, summaryWith } from '../../support/posted-records.ts';
import { createReceiver } from './receiver.ts';
import { eventOf, formPost, jsonPost, type Posted } from './requests.ts';

const key = 'tr1cky+Key/of=demo&7';

/** What the receiver looks for, parts of it, and what stands around it. */
const atoms = [
  key,
  'tr1cky',
  'tr1cky+Key/of=demo&',
  'demo-key',
  encodeURIComponent(key),
  'tr1cky%2bKey/of',
  'path-of-the-callback',
  ...['\\', '%', '+', '"', "'", '/', '%2F', '%5C', '%25', '\\/', '\\u0041', ' ', '\n', '*'],
  ...['apikey', 'api_key=', 'Apikey:"', 'apikey\\', 'apikey%3D', '"Apikey":"x",', 'a', '1', '-1e5,'],
  ...['{', '[', '[]', '{"a":', ']', '}', ',', ':', '&', '=', '->', 'https://r.example/', '\u00e9', '😀', '\0'],
];

/** The ways in which a text of this length comes to the receiver, from strangers and from an account. */
const carriers: Readonly<Record<string, (textOf: (bytes: number) => string, bytes: number) => Posted>> = {
  'as JSON': (textOf, bytes) => jsonPost(textOf(bytes)),
  'as JSON of an account': (textOf, bytes) => jsonPost(`{"Apikey":"demo-key",${textOf(bytes)}`),
  'in JSON within JSON': (textOf, bytes) => jsonPost(JSON.stringify({ data: `[${textOf(bytes / 2)}]` })),
  'in a form': (textOf, bytes) => formPost(`data=${encodeURIComponent(textOf(bytes / 3))}`),
  'as a form': (textOf, bytes) => formPost(textOf(bytes)),
  'as plain text': (textOf, bytes) => ({ ...jsonPost(textOf(bytes)), headers: { 'content-type': 'text/plain' } }),
  'as bytes that are no text': (textOf, bytes) => ({
    ...formPost(''),
    body: Buffer.from(`data=${textOf(bytes)}`, 'latin1'),
  }),
  'in a comment of a call': (textOf, bytes) =>
    jsonPost(JSON.stringify({ ...specificationSummary, Comments: textOf(bytes / 2) })),
};

/** Text of a shape: some atoms, of which the last are repeated. */
const shapes = fc.tuple(
  fc.array(fc.constantFrom(...atoms), { maxLength: 2 }),
  fc.array(fc.constantFrom(...atoms), { minLength: 1, maxLength: 3 }),
);

const receiver = createReceiver('open');

const small = 32 * 1024;

type Work = () => unknown;

const received = (posted: Posted): Work => {
  const event = eventOf(posted);
  return () => receiver.receive(event);
};

const processorMs = async (work: Work): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

/** Of one post, so little that nobody gains by posting it. The clock of processor time has ticks of 4 ms. */
const negligibleMs = 50;
/** No machine takes so long for what grows with the length. */
const hopelessMs = 5_000;

/**
 * Whether the work on 256 KB, and on 1 MB, takes so many times the processor time of 32 KB as they are longer, or `factor`
 * times that. Another process may slow down one of them, so what takes too long is measured again: what grows too fast does
 * so each time.
 */
const growsNoFaster = async (workOn: (bytes: number) => Work, factor = 1.28): Promise<boolean> => {
  const timeOf = (bytes: number): Promise<number> => processorMs(workOn(bytes));
  const isInProportion = async (bytes: number): Promise<boolean> => {
    for (let time = 0; time < 8; time++) {
      let leftMs = await timeOf(bytes);
      if (leftMs < negligibleMs) return true;
      if (leftMs > hopelessMs) return false;
      for (let run = 0; run < (factor * bytes) / small; run++) {
        leftMs -= await timeOf(small);
        if (leftMs <= 0) return true;
      }
    }
    return false;
  };
  return (await isInProportion(256 * 1024)) && (await isInProportion(1000 * 1024));
};

const seeds: readonly (readonly [first: string, repeated: string])[] = [
  ['api_key=', '+'],
  ['apikey', '\\'],
  ['', '\u00e9'],
  ['', '['],
  ['', '"Apikey":"x",'],
  ['', 'tr1cky%2bKey/of%3Ddemo%267'],
  ['', '/path-of-the-callback'],
];

const ownCall = { monitorUCID: '1', Status: 'Answered', Apikey: 'demo-key' };

/** Pieces of which the value of a field is made, by what reads the field. */
const fieldPieces: Readonly<Record<string, readonly string[]>> = {
  Comments: ['x', '\u00a0'],
  AudioFile: [
    ...[' -> ', '->', ' ->', ' -> x', '->a', ',->', '->a-', ', ', ',', '\n', 'no ', 'na,', 'x'],
    ...[
      'https://r.example/1,',
      'https://r.example/1,,',
      'https://r.example/1?,',
      'https://r.example/1?Signature=&',
      'a://,',
    ],
  ],
  AgentID: ['1001 -> ', '> ', 'é', '\\"'],
  StartTime: ['0', ' ', '9:', '-', 'T'],
  Duration: ['0', '0:', '.'],
  DialStatus: ['Answered -> ', 'An swered', '_'],
  UUI: ['SkillTransfer-', '1'],
  monitorUCID: ['1', 'x'],
};

const times = (count: number, entry: (index: number) => unknown, separator = ','): string =>
  Array.from({ length: count }, (_, index) => entry(index)).join(separator);

/** A list of one of 500 records for 2 KB: each is a write. */
const listOf =
  (recordAt: (index: number) => object | number, ...first: readonly object[]) =>
  (bytes: number) =>
    jsonPost(JSON.stringify([...first, ...Array.from({ length: bytes / 2_048 }, (_, index) => recordAt(index))]));

/** A call with more in it. */
const within = (fields: (bytes: number) => string) => (bytes: number) =>
  jsonPost(JSON.stringify(ownCall).replace(/\}$/, () => `,${fields(bytes)}}`));

/** Posts that give a part of the receiver much work. Records of one call take the square of their number, of 500 at most. */
const structures: Readonly<Record<string, (bytes: number) => Posted>> = {
  'different calls': listOf((index) => ({ ...ownCall, monitorUCID: String(index) })),
  participants: listOf((index) => ({ ...specificationParticipant, CallID: index }), ownCall),
  'unrecognised records': listOf((index) => index, ownCall),
  'account keys': (bytes) => jsonPost(`{"monitorUCID":"1","Apikey":[${times(bytes / 10, (index) => `"k${index}"`)}]}`),
  brackets: (bytes) => jsonPost('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
  numbers: within((bytes) => `"x":[${times(bytes / 4, () => 123)}]`),
  'unknown fields': within((bytes) => times(bytes / 16, (index) => `"f${index}":"v"`)),
  'alike names': within((bytes) => times(bytes / 16, (index) => `"\\ud80${index % 4 === 0 ? 0 : 1}":${index}`)),
  'form fields': (bytes) => formPost(`${times(bytes / 10, (index) => `f${index}=1`, '&')}&data={}`),
  'data again and again': (bytes) => formPost('data=x&'.repeat(bytes / 7)),
  'percent signs': (bytes) => formPost(`data=${'%'.repeat(bytes)}`),
  'data in data': (bytes) =>
    jsonPost(
      Array.from({ length: Math.log2(bytes / 25) }).reduce<string>(
        (inner) => JSON.stringify({ data: inner }),
        JSON.stringify({ x: '"'.repeat(12) }),
      ),
    ),
  ...Object.fromEntries(
    Object.entries(fieldPieces).flatMap(([name, pieces]) =>
      pieces.map((piece) => [
        `${name} of ${JSON.stringify(piece)}`,
        (bytes: number) =>
          jsonPost(JSON.stringify({ ...specificationSummary, [name]: piece.repeat(bytes / Buffer.byteLength(piece)) })),
      ]),
    ),
  ),
};

describe('the processor time of a post', () => {
  it.each(Object.entries(structures))('grows with the number and length of %s', async (_name, posted) => {
    // A table of many names outgrows the processor's caches. The square of their number would take a thousand times as long.
    expect(await growsNoFaster((bytes) => received(posted(bytes)), 4)).toBe(true);
  });

  it.each(Object.entries(carriers))(
    'grows with its length and no faster, %s',
    async (_carrier, carry) => {
      const holdsFor = async (first: string, repeated: string): Promise<void> => {
        const size = Buffer.byteLength(repeated);
        const textOf = (bytes: number) => `${first}${repeated.repeat(Math.max(0, (bytes - first.length) / size))}`;
        expect(
          await growsNoFaster((bytes) => received(carry(textOf, bytes))),
          `of ${first} and ${repeated} again and again`,
        ).toBe(true);
      };

      for (const [first, repeated] of seeds) await holdsFor(first, repeated);
      await holdsAsync(
        fc.asyncProperty(shapes, ([first, repeated]) => holdsFor(first.join(''), repeated.join(''))),
        8,
      );
    },
    120_000,
  );
});

/**
 * How often JSON of summaries could be parsed while the receiver works on a post of the same length, at most. It searches the text of
 * a stranger for keys, and redacts that of an account too. `form` is for forms in which nothing is named like a key.
 */
const mostParses = { form: 40, stranger: 70, account: 160 };
const parsesMeasured = 5;

/** Another process may slow down one of them, so what takes too long is measured again. */
const takesNoLonger = async (request: Request, bytes: number, most: number): Promise<boolean> => {
  const summary = JSON.stringify(specificationSummary);
  const json = `[${times(bytes / summary.length, () => summary)}]`;
  for (let time = 0; time < 8; time++) {
    const event = httpApiEvent(request);
    const parses = await processorMs(() => times(parsesMeasured, () => JSON.parse(json).length));
    let answers: readonly unknown[] = [];
    const ms = await processorMs(async () => {
      ({ answers } = await receiver.receive(event));
    });
    expect(answers).toEqual([{ answer: expect.anything() }]);
    if (ms <= (parses / parsesMeasured) * most) return true;
  }
  return false;
};

it.each(contentTypes)(
  'a post of up to 4.5 MB takes no longer than JSON that is parsed some times: %s',
  async (contentType) => {
    const holdsFor = async (limit: keyof typeof mostParses, frame: string, unit: string, bytes = largestBody) => {
      const isFast = await takesNoLonger(largePost(contentType, frame, unit, bytes), bytes, mostParses[limit]);
      expect(isFast, `${bytes} bytes of ${JSON.stringify(unit)} in ${frame}`).toBe(true);
    };
    for (const unit of ['a&', 'a=a=', '\xe9', '%26', 'a%26', '+'])
      for (const frame of frames.stranger) await holdsFor('form', frame, unit);
    for (const frame of frames.account) await holdsFor('account', frame, '"Apikey":"x",');

    const everyFrame = keysOf(frames).flatMap((sender) => frames[sender].map((frame) => ({ sender, frame })));
    const pieces = fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 2 });
    await holdsAsync(
      fc.asyncProperty(
        fc.constantFrom(...everyFrame),
        pieces,
        fc.integer({ min: 1_000_000, max: largestBody }),
        ({ sender, frame }, unit, bytes) => holdsFor(sender, frame, unit.join(''), bytes),
      ),
      40,
    );
  },
  300_000,
);

const atSecond = (index: number): string => new Date(Date.UTC(2026, 10, 20) + index * 1_000).toISOString();

/** Work on many things, whose number grows with the size. */
const manyOf: Readonly<Record<string, (size: number) => Work>> = {
  'callbacks of a call that is in the call report': (size) => {
    const [first, ...others] = Array.from({ length: size / 4_096 }, (_, index) =>
      keyedDelivery(summaryWith({ Comments: `note ${index}` }), atSecond(index)),
    );
    const { key: call, delivery } = first ?? expect.unreachable();
    const deliveries = [{ ...delivery, source: 'report' } as const, ...others.map((other) => other.delivery)];
    return () => applyDeliveries(call, undefined, deliveries, atSecond(0));
  },
  'missed calls of one caller': (size) => {
    const missed = Array.from({ length: size / 32 }, (_, index) => ({
      call: { callId: String(index), listedAt: atSecond(index), timeZone: 'UTC' },
      state: 'open' as const,
      caller: '+919876500000',
    }));
    return () => waitingCallers(missed, atSecond(0));
  },
};

it.each(Object.entries(manyOf))('%s take time in proportion to their number', async (_what, workOn) => {
  expect(await growsNoFaster(workOn, 4)).toBe(true);
});

const searches = [
  withoutNumbers,
  ...['+919876500000', '2222222222', 'rao@example.com'].map((typed) => {
    const { search } = customerSearch(typed, ['IN']) ?? expect.unreachable();
    return (text: string) => isFound(search, text);
  }),
];

/** What a search for a number or an address looks for, and what each step of it may try again for every character of a text. */
const searchedPieces = [
  ...['1', '12345 ', '+1', '00', '98765', '987650000 ', '(0', '1:', '12:3', '1/', '20/11/', '20261120', '2 2', '2%22'],
  ...['@', 'a', 'a@', 'rao@example', '.', '%', '%39', '%E0%A5%AF', ' ', '/', '\u200b', '\u0301\u0323', '1\u0301'],
  ...['1\u20e3', '٣', '²', '\u{1d7eb}', '①', '❽', '＠', 'ﷺ', '\ud83d'],
  ...['1 500000 ', '5 0 0 0 0 0 ', '+1 500000 ', '022 500000 ', '00 44 9876500000 ', '6500000 ', '1 9876500000'],
  ...['<', '<a', '<a 1>', '<b>1', '1<b ', '</', '&', '&amp;', '&#57;', '&#x', '&nbsp;1', '1.1', '1.1E+9 ', '1,1e'],
];

const searchGrowsNoFaster = async (piece: string): Promise<void> => {
  for (const search of searches) {
    const workOn = (bytes: number) => {
      // Up to 64 KB: some of these characters stand for twenty.
      const text = piece.repeat(bytes / 16 / piece.length);
      return () => search(text);
    };
    expect(await growsNoFaster(workOn, 4)).toBe(true);
  }
};

describe('a search takes time in proportion to the length of a text', () => {
  it.each(searchedPieces)('of %j again and again', searchGrowsNoFaster);

  it('of any of these in any order again and again', async () => {
    const pieces = fc.array(fc.constantFrom(...searchedPieces), { minLength: 2, maxLength: 4 });
    await holdsAsync(
      fc.asyncProperty(pieces, (unit) => searchGrowsNoFaster(unit.join(''))),
      40,
    );
  });
});
