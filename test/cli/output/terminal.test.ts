import { describe, expect, it } from 'vitest';
import { printDayCsv } from '../../../cli/output/day.ts';
import { durationText, printCsv, report } from '../../../cli/output/report.ts';
import { printable, printableJson, terminalOf } from '../../../cli/output/terminal.ts';
import { dayFigures, dayFiguresBy } from '../../../lib/client/index.ts';

const written = (isTTY?: boolean) => {
  const texts: string[] = [];
  return { texts, write: (text: string) => texts.push(text), ...(isTTY !== undefined && { isTTY }) };
};

describe('terminalOf', () => {
  it('overwrites the progress line on a terminal', () => {
    const watched = written(true);
    const terminal = terminalOf(written(), watched, undefined);
    terminal.progress('1');
    terminal.progress('2');
    terminal.note('done');

    expect(watched.texts.join('')).toBe('\r\u001B[2K1\r\u001B[2K2\r\u001B[2Kdone\n');
  });

  it('clears the progress line before a result', () => {
    const screen = written(true);
    const terminal = terminalOf(screen, screen, undefined);
    terminal.progress('1 read');
    terminal.print('a');
    terminal.print('b');

    expect(screen.texts.join('')).toBe('\r\u001B[2K1 read\r\u001B[2Ka\nb\n');
  });

  it('writes progress as lines elsewhere: one after five seconds, and then one every ten', () => {
    const piped = written();
    let atMs = 0;
    const { progress } = terminalOf(written(), piped, undefined, () => atMs);
    for (; atMs <= 16_000; atMs += 1_000) progress(`at ${atMs}`);

    expect(piped.texts).toEqual(['at 5000\n', 'at 15000\n']);
  });

  it.each<[string, boolean | undefined, string | undefined, boolean]>([
    ['on a terminal', true, undefined, true],
    ['on a terminal with an empty NO_COLOR', true, '', true],
    ['but not with NO_COLOR', true, '1', false],
    ['but not into a file', undefined, undefined, false],
  ])('has colours %s', (_title, isTTY, noColour, hasColours) => {
    const stdout = written(isTTY);
    const terminal = terminalOf(stdout, written(), noColour);
    report(terminal, false, { id: 'ID' }, [{ id: 'a\u001B[2J' }]);

    expect(terminal.hasColours).toBe(hasColours);
    expect(stdout.texts.join('').includes('\u001B[1m')).toBe(hasColours);
    expect(stdout.texts.at(-1)).toBe('a\\u001b[2J\n');
  });

  it('has the width of the terminal, or 80 characters', () => {
    expect(terminalOf({ ...written(true), columns: 132 }, written(), undefined).width).toBe(132);
    expect(terminalOf(written(), written(), undefined).width).toBe(80);
  });

  it('prints a table, or one JSON object a line', () => {
    const stdout = written();
    const rows = [
      { id: 'a', bytes: 7 },
      { id: 'long', account: 'x' },
    ];
    report(terminalOf(stdout, written(), undefined), false, { id: 'ID', account: 'ACCOUNT', bytes: 'BYTES' }, rows);
    report(terminalOf(stdout, written(), undefined), true, { id: 'ID' }, rows);
    report(terminalOf(stdout, written(), undefined), false, { id: 'ID' }, []);

    expect(stdout.texts).toEqual([
      'ID    ACCOUNT  BYTES\n',
      'a     -        7\n',
      'long  x        -\n',
      '{"id":"a","bytes":7}\n',
      '{"id":"long","account":"x"}\n',
    ]);
  });
});

describe('printable', () => {
  it.each<[string, string, string]>([
    ['plain text', 'Zoë “x” 😀', 'Zoë “x” 😀'],
    ['an escape sequence', 'a\u001B[2Jb', 'a\\u001b[2Jb'],
    ['a one-character escape', 'a\u009B2Jb', 'a\\u009b2Jb'],
    ['text that changes direction', 'a\u202Eb\u2066c', 'a\\u202eb\\u2066c'],
    ['line breaks', 'a\r\nb\u2028c', 'a\\u000d\\u000ab\\u2028c'],
  ])('escapes control characters: %s', (_title, value, escaped) => {
    expect(printable(value)).toBe(escaped);
    expect(printableJson({ value })).not.toMatch(/[\p{Cc}\u2028\u202A-\u202E\u2066-\u2069]/u);
    expect(JSON.parse(printableJson({ value }))).toEqual({ value });
  });

  it('leaves the line breaks of a multiline text', () => {
    expect(printable('a\r\n\tb', true)).toBe('a\\u000d\n\tb');
  });
});

describe('durationText', () => {
  it.each([
    [0, '0s'],
    [59.9, '59s'],
    [60, '1m 00s'],
    [3599, '59m 59s'],
    [3600, '1h 00m 00s'],
    [90_061, '25h 01m 01s'],
    [-5, '0s'],
  ])('formats %d seconds as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe('printCsv', () => {
  it.each([
    ['text', 'Sales', 'Sales'],
    ['nothing', undefined, ''],
    ['a number, a negative one too', -1.5, '-1.5'],
    ['a comma', 'a, b', '"a, b"'],
    ['quotes', 'say "x"', '"say ""x"""'],
    ['a line break, escaped', 'a\r\nb', 'a\\u000d\\u000ab'],
    ['a formula', '=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['a formula behind blanks', ' \t@SUM(1)', `' \\u0009@SUM(1)`],
    ['a plus, as in a number', '+91 98', `'+91 98`],
    ['a minus', '-2+3', `'-2+3`],
    ['a formula behind a zero-width space', '\u200b=1', `'\u200b=1`],
    ['a formula behind a filler that shows nothing', '\u3164=1', `'\u3164=1`],
    ['a formula after a semicolon', "x;=cmd|'/C calc'!A0", `x;'=cmd|'/C calc'!A0`],
    ['a formula after a semicolon and invisible blanks', 'x; \u2060+2', `x;' \u2060+2`],
    ['what is no formula', 'a-b; c = d', 'a-b; c = d'],
    ['a formula in full width', '＝1', `'＝1`],
    ['an equals sign within', 'a=1', 'a=1'],
  ])('prints %s', (_title, cell, printed) => {
    const out = written();
    printCsv(terminalOf(out, written(), undefined), ['first', cell]);

    expect(out.texts).toEqual([`first,${printed}\r\n`]);
  });
});

describe('printDayCsv', () => {
  it('tells the two hours apart that have the same time when clocks go back', () => {
    const bounds = { start: '2026-10-24T23:00:00.000Z', end: '2026-10-26T00:00:00.000Z', timeZone: 'Europe/London' };
    const records = { day: '2026-10-25', ...bounds, calls: [], agents: [], agentsUpTo: undefined };
    const settings = { shortSeconds: 10 };
    const groups = dayFiguresBy('hour', records, settings);
    const out = written();
    const figures = dayFigures(records, settings);
    const report = { account: 'demo', records, figures, by: 'hour', groups, showPersonal: false } as const;
    printDayCsv(terminalOf(out, written(), undefined), report);

    expect(out.texts.slice(1, 5).map((line) => line.split(',')[1])).toEqual([
      '00:00',
      '01:00 +01:00',
      '01:00 +00:00',
      '02:00',
    ]);
  });
});
