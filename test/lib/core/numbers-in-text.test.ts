import { expect, it } from 'vitest';
import { customerSearch } from '../../../cli/operate/erase-customer.ts';
import { isFound, withoutNumbers } from '../../../lib/core/numbers-in-text.ts';

const searches = [
  withoutNumbers,
  ...['+919876500000', '2222222222', 'rao@example.com'].map((typed) => {
    const { search } = customerSearch(typed, ['IN']) ?? expect.unreachable();
    return (text: string) => isFound(search, text);
  }),
];

/** What the search looks for, and what each step of it may try again for every character of a text. */
const atoms = [
  ...['1', '12345 ', '+1', '00', '98765', '987650000 ', '(0', '1:', '12:3', '1/', '20/11/', '20261120', '2 2', '2%22'],
  ...[
    '@',
    'a',
    'a@',
    'rao@example',
    '.',
    '%',
    '%39',
    '%E0%A5%AF',
    ' ',
    '/',
    '\u200b',
    '\u0301\u0323',
    '1\u0301',
    '1\u20e3',
  ],
  ...['٣', '²', '\u{1d7eb}', '①', '❽', '＠', 'ﷺ', '\ud83d'],
];

/** Milliseconds of this thread: other tests and the collection of garbage have threads of their own. */
const timeOf = (run: () => unknown): number => {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

it.each(atoms)('a search takes time in proportion to the length of a text: %j again and again', (atom) => {
  const text = (length: number) => atom.repeat(Math.ceil(length / atom.length));
  for (const search of searches) {
    const isLinear = () => {
      const [short = 0, long = 0] = [2, 32].map((kilobytes) => timeOf(() => search(text(kilobytes * 1024))));
      // Sixteen times the text; its square would be 256 times the work.
      return long < 48 * Math.max(short, 1);
    };
    // What takes too long is measured again: a square does so each time, and whatever else slows the machine does not.
    expect(Array.from({ length: 8 }).some(isLinear)).toBe(true);
  }
});
