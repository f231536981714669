import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { printDayCsv } from '../../../cli/day/day-lines.ts';
import { printCsv } from '../../../cli/frame/csv.ts';
import { interruption, type OutputProcess, outputClosed } from '../../../cli/frame/ending.ts';
import { redacted } from '../../../cli/frame/redact.ts';
import { printRows } from '../../../cli/frame/table.ts';
import { printable, printableJson, terminalOf } from '../../../cli/frame/terminal.ts';
import { durationText } from '../../../cli/frame/texts.ts';
import { dayFigures, dayFiguresBy } from '../../../client/index.ts';
import { field, nonEmpty, nonEmptyList } from '../../../lib/storage/field.ts';

const written = (isTTY?: boolean) => {
  const texts: string[] = [];
  return { texts, write: (text: string) => texts.push(text), ...(isTTY !== undefined && { isTTY }) };
};

describe('terminalOf', () => {
  it('overwrites the progress line on a terminal, and clears it before a note or a result', () => {
    const screen = written(true);
    const terminal = terminalOf(screen, screen, undefined);
    for (const one of ['1', '2']) terminal.progress(one);
    terminal.note('done');
    terminal.progress('3');
    for (const one of ['a', 'b']) terminal.print(one);

    expect(screen.texts.join('')).toBe('\r\u001B[2K1\r\u001B[2K2\r\u001B[2Kdone\n\r\u001B[2K3\r\u001B[2Ka\nb\n');
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
    printRows(terminal, false, { id: 'ID' }, [{ id: 'a\u001B[2J' }]);

    expect(terminal.hasColours).toBe(hasColours);
    expect(stdout.texts.join('').includes('\u001B[1m')).toBe(hasColours);
    expect(stdout.texts.at(-1)).toBe('a\\u001b[2J\n');
  });

  it('prints a table, or one JSON object a line', () => {
    const stdout = written();
    const terminal = terminalOf(stdout, written(), undefined);
    const first = { id: 'a', bytes: 7 };
    const second = { id: 'long', account: 'x' };
    printRows(terminal, false, { id: 'ID', account: 'ACCOUNT', bytes: 'BYTES' }, [first, second]);
    printRows(terminal, true, { id: 'ID' }, [first, second]);
    printRows(terminal, false, { id: 'ID' }, []);

    expect(stdout.texts).toEqual([
      ...['ID    ACCOUNT  BYTES\n', 'a     -        7\n', 'long  x        -\n'],
      ...['{"id":"a","bytes":7}\n', '{"id":"long","account":"x"}\n'],
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
    const records = { from: '2026-10-25', to: '2026-10-25', ...bounds, calls: [], agents: [], agentsUpTo: undefined };
    const settings = { shortSeconds: 10 };
    const groups = dayFiguresBy('hour', records, settings);
    const out = written();
    const figures = dayFigures(records, settings);
    const report = { account: 'demo', records, figures, by: 'hour', groups, showPersonal: false } as const;
    printDayCsv(terminalOf(out, written(), undefined), report);

    const hours = out.texts.slice(1, 5).map((line) => line.split(',')[1]);
    expect(hours).toEqual(['00:00', '01:00 +01:00', '01:00 +00:00', '02:00']);
  });
});

afterEach(() => vi.useRealTimers());

describe('interruption', () => {
  const started = (leftovers?: () => readonly string[]) => {
    const signals = new EventEmitter();
    const exits: number[] = [];
    const written: string[] = [];
    const signal = interruption({
      on: (name, listener) => signals.on(name, listener),
      stderr: { write: (text) => written.push(text) },
      exit: (code) => exits.push(code),
    })(leftovers);
    return { signal, exits, written, send: (name: string) => signals.emit(name) };
  };

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('aborts at the first %s, and ends the process at the second', (name, code) => {
    const { signal, exits, written, send } = started();

    expect(signal.aborted).toBe(false);
    send(name);
    expect([signal.aborted, exits]).toEqual([true, []]);
    send(name);
    expect([exits, written]).toEqual([[code], []]);
  });

  it('says within half a second that a command stops, if it still runs', () => {
    vi.useFakeTimers();
    const { written, exits, send } = started();
    send('SIGINT');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(500);

    expect([written, exits]).toEqual([['Stopping. A second signal ends the command at once.\n'], []]);
  });

  it('ends a command that waits for an answer two seconds after the first signal, but none that has leftovers', () => {
    vi.useFakeTimers();
    const waiting = [started(), started(() => [])];
    const tidying = started(() => ['queue q']);
    for (const { send } of [...waiting, tidying]) send('SIGTERM');
    vi.advanceTimersByTime(1_999);
    expect(waiting.flatMap(({ exits }) => exits)).toEqual([]);
    vi.advanceTimersByTime(60_000);

    expect([...waiting, tidying].map(({ exits }) => exits)).toEqual([[143], [143], []]);
    for (const { written } of waiting) expect(written[1]).toMatch(/did not answer/);
    expect(tidying.written[1]).toBe('Still deleting: queue q.\n');
  });

  it('prints the leftovers when the second signal comes before they are deleted', () => {
    const leftovers = ['queue q', 'rule r'];
    const { written, send } = started(() => leftovers);
    send('SIGHUP');
    leftovers.pop();
    send('SIGINT');

    expect(written).toEqual(['Ended at once. These may still exist: queue q.\n']);
  });
});

describe('outputClosed', () => {
  const started = () => {
    const stdout = new EventEmitter();
    const exits: number[] = [];
    const process: OutputProcess = { stdout, exit: (code) => exits.push(code) };
    return { process, exits, closed: outputClosed(process), fail: (code: string) => stdout.emit('error', { code }) };
  };

  it.each([
    ['the reader has closed the output', 'EPIPE', 141],
    ['the disk is full', 'ENOSPC', 1],
  ])('ends the process at once when %s', (_title, error, code) => {
    const { exits, fail } = started();
    fail(error);

    expect(exits).toEqual([code]);
  });

  it('aborts the signal that a command asked for, and keeps the first exit code', () => {
    const { process, exits, closed, fail } = started();
    const signal = closed();
    fail('EPIPE');
    fail('ERR_STREAM_DESTROYED');

    expect(signal.aborted).toBe(true);
    expect([exits, process.exitCode]).toEqual([[], 141]);
  });
});

const personal = { personal: true } as const;
const Note = z.strictObject({
  field: nonEmpty,
  reason: z.optional(nonEmpty),
  asSent: field(z.optional(nonEmpty), 'A value.', personal),
});
const Row = z.object({
  id: nonEmpty,
  state: z.enum(['ready', 'acw']),
  at: z.optional(z.iso.datetime()),
  count: z.int(),
  isOdd: z.boolean(),
  name: field(z.optional(nonEmpty), 'A name.', personal),
  names: field(z.optional(nonEmptyList), 'Names.', personal),
  extra: field(z.optional(z.record(z.string(), nonEmpty)), 'Anything.', personal),
  counts: z.record(z.string(), z.number()),
  parts: z.optional(nonEmptyList),
  notes: z.readonly(z.array(Note)),
});
const plainRow = {
  id: '1',
  state: 'ready' as const,
  at: '2026-11-21T10:00:00.000Z',
  count: 1,
  isOdd: false,
  counts: { ready: 1 },
  notes: [{ field: 'a' }],
};

describe('redacted', () => {
  it.each<[string, object]>([
    ['without personal fields', {}],
    ['whose texts only look like lists', { id: '[VIP]', parts: ['[VIP', '{gold}'] }],
  ])('leaves a value as it is: %s', (_title, more) => {
    expect(redacted(Row, { ...plainRow, ...more })).toEqual({ ...plainRow, ...more });
  });

  const hidden = '(hidden)';
  const within = { [hidden]: hidden };
  const chain = ['{"k":"a', 'SENTINEL"}'];
  const notes = [
    ...['id', 'parts'].map((name) => ({ field: name, reason: 'not-a-scalar' })),
    { field: 'at', reason: 'over-long' },
  ];
  it.each<[string, object, object]>([
    ['a text', { name: 'SENTINEL' }, { name: hidden }],
    ['each text of a list', { names: ['SENTINEL', 'b'] }, { names: [hidden, hidden] }],
    ['names within an object', { extra: { SENTINEL: 'SENTINEL' } }, { extra: within }],
    ['nested fields', { notes: [{ field: 'a', asSent: 'SENTINEL' }] }, { notes: [{ field: 'a', asSent: hidden }] }],
    ['undeclared fields', { later: 'SENTINEL', deep: { a: ['SENTINEL'] } }, { later: hidden, deep: within }],
    ['a value of another type', { id: { a: 'SENTINEL' }, counts: 'SENTINEL' }, { id: within, counts: hidden }],
    ['a word outside of a closed set', { state: 'SENTINEL' }, { state: '(hidden)' }],
    ['an object that was sent as a text', { id: '{"k":"SENTINEL"}' }, { id: '(hidden)' }],
    ['a list that was sent as a text', { id: '["SENTINEL"]' }, { id: '(hidden)' }],
    ['an object that was split like a chain', { parts: chain }, { parts: [hidden, hidden] }],
    ['the beginning of an object, where its text was too long', { id: '{"k":"SENTIN' }, { id: hidden }],
    ['an object among other texts', { parts: ['ravi', ...chain, 'asha'] }, { parts: Array(4).fill(hidden) }],
    [
      'a field whose note says that an object was sent',
      { id: '{"k":"SENTI…', parts: ['SENTINEL'], notes },
      { id: hidden, parts: [hidden], notes },
    ],
    ['notes of an unknown shape', { notes: ['x', null] }, { notes: [hidden, null] }],
    ['a list instead of a text', { id: ['SENTINEL'] }, { id: [hidden] }],
    ['no null', { name: null }, { name: null }],
  ])('hides %s', (_title, more, shown) => {
    expect(redacted(Row, { ...plainRow, ...more })).toEqual({ ...plainRow, ...shown });
  });

  it('hides a field of any type', () => {
    expect(redacted(z.object({ any: z.unknown() }), { any: 'SENTINEL' })).toEqual({ any: '(hidden)' });
  });
});
