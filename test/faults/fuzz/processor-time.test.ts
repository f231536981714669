import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReceiver } from '../../faults/fuzz/receiver.ts';
import { eventOf, formPost, jsonPost, type Posted } from '../../faults/fuzz/requests.ts';
import { specificationSummary } from '../../fixtures/calls.ts';
import { holdsAsync } from '../../support/arbitraries.ts';

const key = 'tr1cky+Key/of=demo&7';

/** What the receiver looks for, parts of it, and what stands around it. */
const atoms = [
  ...[key, 'tr1cky', 'tr1cky+Key/of=demo&', 'demo-key', encodeURIComponent(key), 'path-of-the-callback'],
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

const [small, large] = [32 * 1024, 1000 * 1024];

/** For 1 MB, so little that nobody gains by posting it. The clock of processor time has ticks of 4 ms. */
const negligibleMs = 50;

/**
 * Whether 1 MB takes at most 40 times the processor time of 32 KB. Another process may slow down one of them, so what takes
 * too long is measured again: what grows too fast does so each time.
 */
const growsNoFaster = async (posted: (bytes: number) => Posted): Promise<boolean> => {
  const timeOf = async (bytes: number): Promise<number> => {
    const event = eventOf(posted(bytes));
    const before = process.threadCpuUsage();
    await receiver.receive(event);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  for (let time = 0; time < 8; time++) {
    let leftMs = await timeOf(large);
    if (leftMs < negligibleMs) return true;
    for (let run = 0; run < 40; run++) {
      leftMs -= await timeOf(small);
      if (leftMs <= 0) return true;
    }
  }
  return false;
};

const seeds: readonly (readonly [first: string, repeated: string])[] = [
  ['api_key=', '+'],
  ['apikey', '\\'],
  ['', '\u00e9'],
  ['', '['],
  ['', '"Apikey":"x",'],
  ['', '/path-of-the-callback'],
];
describe('the processor time of a post', () => {
  it.each(Object.entries(carriers))(
    'grows with its length and no faster, %s',
    async (_carrier, carry) => {
      const holdsFor = async (first: string, repeated: string): Promise<void> => {
        const size = Buffer.byteLength(repeated);
        const textOf = (bytes: number) => `${first}${repeated.repeat(Math.max(0, (bytes - first.length) / size))}`;
        expect(
          await growsNoFaster((bytes) => carry(textOf, bytes)),
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
