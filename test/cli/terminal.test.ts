import { describe, expect, it } from 'vitest';
import { report } from '../../cli/output/report.ts';
import { terminalOf } from '../../cli/terminal.ts';

const written = (isTTY?: boolean) => {
  const texts: string[] = [];
  return { texts, write: (text: string) => texts.push(text), ...(isTTY !== undefined && { isTTY }) };
};

describe('a terminal', () => {
  it('writes progress over progress where somebody watches, and nowhere else', () => {
    const watched = written(true);
    const terminal = terminalOf(written(), watched, undefined);
    terminal.progress('1');
    terminal.progress('2');
    terminal.note('done');
    const piped = written();
    terminalOf(written(), piped, undefined).progress('1');

    expect(watched.texts.join('')).toBe('\r\u001B[2K1\r\u001B[2K2\r\u001B[2Kdone\n');
    expect(piped.texts).toEqual([]);
  });

  it.each<[string, boolean | undefined, string | undefined, boolean]>([
    ['on a terminal', true, undefined, true],
    ['on a terminal with an empty NO_COLOR', true, '', true],
    ['never with NO_COLOR', true, '1', false],
    ['never into a file', undefined, undefined, false],
  ])('has colours %s', (_title, isTTY, noColour, hasColours) => {
    const stdout = written(isTTY);
    const terminal = terminalOf(stdout, written(), noColour);
    report(terminal, false, { id: 'ID' }, [{ id: 'a\u001B[2J' }]);

    expect(terminal.hasColours).toBe(hasColours);
    expect(stdout.texts.join('').includes('\u001B[1m')).toBe(hasColours);
    expect(stdout.texts.at(-1)).toBe('a\\u001b[2J\n');
  });

  it('is as wide as it says, or 80 characters', () => {
    expect(terminalOf({ ...written(true), columns: 132 }, written(), undefined).width).toBe(132);
    expect(terminalOf(written(), written(), undefined).width).toBe(80);
  });

  it('prints a table of what there is, and an object a line for programs', () => {
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
