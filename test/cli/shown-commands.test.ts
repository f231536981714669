import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callFilters } from '../../cli/calls/call-filters.ts';
import { filterOptions } from '../../cli/calls/set-filters.ts';
import { commandOf } from '../../cli/console/page/words.ts';
import { commandLine, givenOptions, locationOptions } from '../../cli/frame/deployment.ts';
import { misfit } from '../../cli/frame/version-fit.ts';
import { reportGaps } from '../../cli/verify/call-report.ts';
import { type Again, type Gap, printedGap } from '../../cli/verify/gaps.ts';
import { parkedGaps } from '../../cli/verify/parked.ts';
import { publicationGaps } from '../../cli/verify/publication.ts';
import { quarantineGaps } from '../../cli/verify/quarantined.ts';
import { recordingGaps } from '../../cli/verify/recordings.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { commandText } from '../../lib/core/command-text.ts';
import { anyCharacter } from '../support/arbitraries.ts';
import { cli, inBash } from './support/cli-run.ts';

/** What people, senders and addresses can put into an argument, and what a shell makes of it unless it is quoted. */
const hostile = [
  '$(echo x) 2026-11-26 10:00',
  '`echo x`',
  "it's; echo x #",
  String.raw`'\''$(echo x)`,
  '"$(echo x)"',
  'a\n1; echo x',
  'a\r\n\techo x',
  '\u001B[2J\u0007',
  '\u202Eexe.txt',
  'Cape\u00A0Town \u200B\uFEFF',
  String.raw`back\slash\ `.trim(),
  '!! !-1',
  "it\u0001's !!'\\",
  '$HOME ~ ~root * ? [a] {a,b} <(id) >x |& ;&',
  '~',
  '#',
  '-rf',
  '--',
  '=ls',
  'A=b',
  '  two  blanks  ',
  '',
  'Zoë “Ärger” 日本 😀',
];

const at = '2026-11-26T09:00:00.000Z';
const afterIt = '2026-11-26T09:00:00.001Z';
const now = new Date('2026-11-26T10:00:00Z');

/** Every place that shows commands with values in them: what it shows for a value, and the arguments that are to arrive. */
const places: Readonly<
  Record<string, (value: string) => readonly (readonly [shown: string | undefined, words: readonly string[]])[]>
> = {
  'the options of a deployment': (value) => {
    const location = { stack: value, region: value, profile: value };
    return [
      [commandLine(location, 'status'), ['status', '--stack', value, '--region', value, '--profile', value]],
      [commandLine({ stack: '', endpoint: value }, 'status'), ['status', '--endpoint', value]],
    ];
  },
  'the calls of the console': (value) => {
    const view = { commandOptions: locationOptions({ stack: value }) };
    const filters = filterOptions(mapValues(callFilters, () => value));
    const inWords = Object.keys(callFilters).flatMap((name) => [`--${name}`, value]);
    return [
      [
        commandOf(view, 'calls', '--day', value, ...filters),
        ['calls', '--day', value, ...inWords, '--show-personal', '--stack', value],
      ],
      [
        commandOf(view, 'quarantine', 'dismiss', '--reason', value, '--because', '…'),
        ['quarantine', 'dismiss', '--reason', value, '--because', '…', '--stack', value],
      ],
    ];
  },
  'what mends a gap that verify finds': (value) => {
    const location = { stack: '', endpoint: value };
    const where = ['--endpoint', value];
    const again = (options: Again['again']) => commandLine(location, 'verify', ...givenOptions(options));
    const printed = (gap: Gap | undefined) => gap && printedGap(gap, again).mend;
    const row = { account: value, callId: value, recordedAt: at, revision: 1, participantId: undefined };
    const recording = { account: value, callId: value, recordingId: 'r', listedAt: at };
    const [replay] = publicationGaps([{ row, revisions: [1] }], location, now);
    const [waiting, unasked] = recordingGaps(
      { archived: 0, waiting: ['c'], unasked: [recording], givenUp: 0 },
      value,
      location,
    );
    const byDay = { [value]: 1 };
    const [missing, moved] = reportGaps(
      value,
      { read: true, days: [], calls: 1, missing: byDay, moved: byDay, cut: [] },
      location,
    );
    const [unread] = reportGaps(value, { read: false, hasFailed: true, why: 'x' }, location);
    const [late] = reportGaps(value, { read: false, hasFailed: true, why: 'x', reportWait: 3 }, location);
    const parked = parkedGaps(
      { waiting: 0, calls: [{ account: value, callId: value }], withoutCallId: 1, isCut: false },
      location,
    );
    const [quarantined] = quarantineGaps([{ id: value, reason: 'x', canBeRedriven: true }], location);
    return [
      [printed(late), ['verify', '--report-wait', '3', ...where]],
      [printed(replay), ['replay', '--from', at, '--to', afterIt, '--account', value, ...where]],
      [waiting?.more, ['dead-letters', 'list', 'recordings', ...where]],
      [printed(unasked), ['archive', '--from', at, '--to', afterIt, '--account', value, ...where]],
      [printed(missing), ['reconcile', '--day', value, '--account', value, ...where]],
      [printed(moved), ['reconcile', '--day', value, '--account', value, ...where]],
      [printed(unread), ['status', ...where]],
      [printed(parked[0]), ['dead-letters', 'redrive', 'parked', ...where]],
      [printed(parked[1]), ['dead-letters', 'list', 'parked', ...where]],
      [printed(quarantined), ['quarantine', 'redrive', value, ...where]],
      [quarantined?.more, ['quarantine', 'dismiss', value, '--because', '…', ...where]],
    ];
  },
};

/** The command in a line: it ends the line. */
const commandIn = (shown = ''): string => shown.slice(shown.search(/npx |# /));

describe.each(Object.entries(places))('%s', (_title, commandsFor) => {
  it.each(hostile)('reaches a shell as its arguments, and nothing else: %j', (value) => {
    const commands = commandsFor(value);
    expect(inBash(commands.map(([shown]) => commandIn(shown)))).toEqual(
      commands.map(([, words]) => ['npx', 'callfeed', ...words]),
    );
  });

  it.each(['a\0; echo x', 'half \uD83D'])('is a comment where a value cannot be an argument: %j', (value) => {
    const commands = commandsFor(value);
    expect(inBash(commands.map(([shown]) => commandIn(shown)))).toEqual(
      commands.filter(([, words]) => !words.includes(value)).map(([, words]) => ['npx', 'callfeed', ...words]),
    );
  });
});

it('names the option that verify lacks, in the command as it was given', async () => {
  const given = ['--account', 'It’s $(id)', '--events', 'a b.jsonl', '--report-wait', '5', '--no-report', '--json'];
  const { code, notes } = await cli(['verify', ...given, '--stack', 'x', '--region', 'eu-west-1']);
  const where = ['--stack', 'x', '--region', 'eu-west-1'];

  expect(code).toBe(2);
  expect(inBash([notes.slice(notes.indexOf('npx'))])).toEqual([
    ['npx', 'callfeed', 'verify', ...given.slice(0, 6), '--since', '2h', '--no-report', '--json', ...where],
  ]);
});

it('names the tarball of a version, and no package that others may publish, and the folder of analytics, as arguments', async () => {
  for (const value of hostile) {
    const version = misfit('1.0.0', `2.0.0${value}`) ?? '';
    const folder = `/nowhere/${value}`;
    const { notes } = await cli(['query', '--dir', folder, '--sql', 'SELECT 1']);
    const lines = [version.slice(version.indexOf('npm install')), notes.slice(notes.indexOf('npm start'))];
    expect(inBash(lines)).toEqual([
      ['npm', 'install', `./callfeed-2.0.0${value}.tgz`],
      ['npm', 'start', '--', '--analytics', folder],
    ]);
  }
});

it('makes of any texts one line without a control character, from which bash reads them again', () => {
  const words = fc.array(
    fc.string({ unit: fc.oneof(anyCharacter, fc.constantFrom(...'\'"\\$`!\n\r\t ;&|<>(){}[]*?~#=-')) }),
    {
      maxLength: 5,
    },
  );
  const drawn = fc
    .sample(words, { seed: 46, numRuns: 500 })
    .map((some) => some.map((word) => word.replaceAll('\0', '')));
  const texts = drawn.map((some) => commandText(['npx', ...some]));

  expect(texts.filter((text) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text))).toEqual([]);
  expect(inBash(texts)).toEqual(drawn.map((some) => ['npx', ...some]));
});
