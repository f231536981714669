import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../lib/telephony/recording-links.ts';
import { holds } from '../../support/arbitraries.ts';

const one = 'https://r.example.com/1.mp3';
const two = 'http://r.example.com/2.mp3';
const noFile = 'https://r.example.com/play/1';

type LinksRow = [title: string, text: string, links: readonly string[], words?: readonly string[]];

describe('readRecordings', () => {
  it.each<LinksRow>([
    ['one URL', one, [one]],
    ['URLs joined by a comma', `${one},${two}`, [one, two]],
    ['URLs joined by a comma and space', `${one}, ${two}`, [one, two]],
    ['URLs joined by an arrow', `${one} -> ${two}`, [one, two]],
    ['URLs joined by a semicolon', `${one};${two}`, [one, two]],
    ['URLs joined by a bar', `${one}|${two} | ${noFile}`, [one, two, noFile]],
    ['URLs joined by a blank', `${noFile} ${two}`, [noFile, two]],
    ['URLs in lines', `${noFile}\r\n${two}\n`, [noFile, two]],
    ['the same URL twice', `${one},${one}`, [one]],
    ['a comma at the end', `${one},`, [one]],
    ['a comma within a URL', `${one}?parts=1,2`, [`${one}?parts=1,2`]],
    ['other separators within a URL', `${one}?a=1;b=2|3,${two}`, [`${one}?a=1;b=2|3`, two]],
    ['a parameter of a path', `${one};v=2,${two};v=3`, [`${one};v=2`, `${two};v=3`]],
    ['a comma and a dot within a path', 'https://r.example/2026,11.26/1.mp3', ['https://r.example/2026,11.26/1.mp3']],
    ['a blank within a URL', 'https://r.example.com/my call.mp3', ['https://r.example.com/my call.mp3']],
    ['a blank behind the name of a file', `${one} (1).mp3,${two}`, [`${one} (1).mp3`, two]],
    ['words behind the name of a file', `${one} is not there ${two} yet`, [one, two], ['is', 'not', 'there', 'yet']],
    ['words within the name of a file', `${one} (copy 2).mp3?a=b`, [`${one} (copy 2).mp3?a=b`]],
    ['a URL within a URL', `${noFile}?then=${two}`, [`${noFile}?then=${two}`]],
    ['a scheme in capitals', `${one},S3://bucket/2`, [one, 'S3://bucket/2']],
    ['text that is no URL', 'on request', [], ['on', 'request']],
    ['an arrow before all URLs', `-> ${one} -> ${two}`, [one, two]],
    ['an arrow behind all URLs', `${one} -> ${two} ->`, [one, two]],
    ['a blank among URLs', `None -> ${one}`, [one]],
    ['URLs joined by an arrow without blanks', `${one}->${two}->${one}`, [one, two]],
    ['URLs joined by an arrow with a blank on one side', `${one}-> ${two} ->${one}x`, [one, two, `${one}x`]],
    ['an arrow without blanks before all URLs', `->${one}`, [one]],
    ['an arrow within a URL', `${noFile}?from=a->b`, [`${noFile}?from=a->b`]],
    ['an arrow within a URL before another one', `${one}?a->b->${two}`, [`${one}?a->b`, two]],
    ['a word for none within a query', `${noFile}?show=na,b,${two}`, [`${noFile}?show=na,b`, two]],
    ['a text after an arrow with blanks', `${noFile} -> see the CRM`, [noFile], ['see', 'the', 'CRM']],
    ['a text after the name of a file', `${one},not kept,${two}`, [one, two], ['not', 'kept']],
    ['a JSON list', JSON.stringify([one, null, '', `${two},NA`, 7]), [one, two], ['NA', '7']],
    ['a JSON list of objects', JSON.stringify([{ url: one }]), [], [JSON.stringify({ url: one })]],
    ['what only begins as a list', `[${one}`, [], [`[${one}`]],
    ['nothing', '', []],
    ['separators only', ' -> ,;|\n', []],
  ])('reads %s', (_title, text, links, words = []) => {
    expect(readRecordings(text)).toEqual({ links, words });
  });

  const gaps: readonly (readonly [gap: string, word: string | undefined])[] = [
    ...['', 'None', 'null', '-', ' '].map((blank) => [blank, undefined] as const),
    ...['NA', 'N/A', 'n/a', 'No Recording', 'no_recording'].map((word) => [word, word] as const),
  ];
  const separators = [',', ', ', ' -> ', '->', ';', '|', ' | ', ' ', '\n', '\r\n'];
  const places = separators.flatMap((separator) =>
    gaps.flatMap(([gap, word]) =>
      [
        [gap, one, noFile],
        [one, gap, noFile],
        [noFile, gap, one],
        [one, noFile, gap],
        [gap, gap, one, gap, gap, noFile, gap],
      ].map((list) => ({ text: list.join(separator), list, word })),
    ),
  );

  it.each(places)('finds both links in $text', ({ text, list, word }) => {
    const { links, words } = readRecordings(text);
    expect(links).toEqual(list.filter((entry) => entry.includes('://')));
    expect(new Set(words)).toEqual(new Set(word === undefined ? [] : [word]));
  });

  it.each(separators.filter((separator) => separator !== ' '))(
    'finds the links beside the bare name of a file, joined by %j',
    (separator) => {
      for (const list of [
        ['b.mp3', one, two],
        [one, 'b.mp3', two],
        [one, two, 'b.mp3'],
      ])
        expect(readRecordings(list.join(separator))).toEqual({ links: [one, two], words: ['b.mp3'] });
    },
  );

  it('finds each link, whatever its query has, and whatever is between', () => {
    const query = fc.string({ unit: fc.constantFrom(...'a=&%,;|->.1'), maxLength: 12 });
    const link = fc.tuple(fc.nat(9), query).map(([id, text]) => `${noFile}${id}?q=${text}z`);
    const gap = fc.constantFrom('', 'None', 'null', '-', 'NA', 'No Recording');
    const lists = fc.array(fc.tuple(link, gap), { minLength: 1, maxLength: 5 });
    holds(
      fc.property(lists, fc.constantFrom(...separators), (list, separator) => {
        const { links } = readRecordings(list.flat().join(separator));
        expect(links).toEqual([...new Set(list.map(([sent]) => sent))]);
      }),
    );
  });
});
