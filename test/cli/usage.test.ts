import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dayFrom, instantFrom, instantOrDayFrom, sinceFrom, wholeNumber } from '../../cli/frame/options.ts';
import { Problem, problemOf } from '../../cli/frame/problem.ts';
import { commands } from '../../cli/program.ts';
import { createCallfeedClient, UnreadableRow } from '../../client/index.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { loggableError } from '../../lib/core/result.ts';
import { sourceFiles } from '../support/repository-files.ts';
import { cli } from './support/cli-run.ts';
import { stubDeployment } from './support/local-deployment.ts';

const at = (line: string) =>
  cli(
    // An underscore stands for a space within an argument.
    line.split(' ').map((argument) => argument.replaceAll('_', ' ')),
    { connect: async () => stubDeployment() },
  );

it('has every command that a file declares', async () => {
  const files = sourceFiles('cli').filter(({ file }) => !/^cli\/(?:main\.ts$|console\/page\/)/.test(file));
  const modules = await Promise.all(files.map(({ file }) => import(resolve(file))));
  const declared = modules.flatMap((module) => Object.values(module).map(Object)).filter((one) => 'declareIn' in one);
  const listed: readonly object[] = commands.flatMap((one) => ('commands' in one ? one.commands : [one]));

  expect(declared.length).toBeGreaterThan(20);
  const forgotten = declared.filter((one) => !listed.includes(one));
  expect(forgotten.map(({ name }) => name)).toEqual([]);
});

describe('a wrong command line', () => {
  const range = '--from 2026-11-20 --to 2026-11-21';
  it.each([
    ['an unknown command', 'nix', /unknown command/],
    ['an unknown option', 'dead-letters list --nix', /unknown option/],
    ['an unknown state', 'agents --state x', /Allowed choices are ready/],
    ['an agent and a state', 'agents asha --state ready', /not both/],
    ['an empty agent', 'agents ', /agentId: expected text/],
    ['no instant', 'floor', /--at <instant>/],
    ['an instant in the future', 'floor --at 2100-01-01T00:00Z', /in the future/],
    ['a day as an instant', 'floor --at 2026-11-20', /A day has no zone/],
    ['an instant without a zone', 'floor --at 2026-11-21T10:00:00', /with its zone/],
    ['a day that does not exist', 'timeline asha --day 2026-02-30', /Expected a day such as/],
    ['a time zone that does not exist', 'timeline asha --time-zone IST', /Expected an IANA time zone/],
    ['a day as the start of a range', 'calls --from 2026-11-20', /A day has no zone.* --day/],
    ['a day as the end of a range', 'calls --to 2026-11-20', /A day has no zone.* --day/],
    ['a day and a range', 'calls --day today --to 2026-11-20T00:00Z', /cannot be used with option/],
    ['a day and a range of words', 'unknown --day today --from 2026-11-20T00:00Z', /cannot be used with option/],
    ['a day and how long ago', 'calls --day today --since 2h', /cannot be used with option/],
    ['a recording without a range', 'calls --recorded', /--recorded needs --day, --since or --from/],
    ['the recordings of an agent', 'calls --recorded --day today --agent a', /cannot be used with option/],
    ['who waits of an agent', 'calls --open --agent a', /cannot be used with option/],
    ['who waits behind a cursor', 'calls --open --cursor a', /cannot be used with option/],
    ['a time to return calls, without --open', 'calls --missed --returned-within 2h', /--returned-within needs --open/],
    ['a time to return calls of two months', 'calls --open --returned-within 60d', /how long, such as .* up to 31d/],
    ['a time to return calls without a unit', 'calls --open --returned-within 60', /how long, such as .* up to 31d/],
    ['a time zone without a day', 'calls --time-zone UTC', /--time-zone needs --day/],
    ['an unknown status', 'calls --status missed', /Allowed choices are answered, not-answered, unknown/],
    ['an unknown type of call', 'calls --type x', /Allowed choices are progressive, inbound, /],
    ['calls of a range in reverse', 'calls --from 2026-11-21T00:00Z --to 2026-11-20T00:00Z', /end before it begins/],
    ['an invalid cursor', 'calls --cursor x', /cursor: expected/],
    ['two formats of calls', 'calls --csv --json', /--json or --csv, not both/],
    ['two formats of a day', 'day --csv --json', /--json or --csv, not both/],
    ['an unknown group', 'day --by team', /Allowed choices are agent, skill, campaign, hour/],
    ['a threshold of nothing', 'day --short 0', /whole number from 1 to 3600/],
    ['a day in the future', 'day --date 2100-01-01', /2100-01-01 has not begun in /],
    ['an unknown event', 'events --type x', /Events are: Call Summary Recorded, /],
    ['too many days to reconcile', 'reconcile --last 16', /whole number from 1 to 15/],
    ['a day and days to reconcile', 'reconcile --day today --last 2', /cannot be used with option/],
    ['a day that the report no longer has', 'reconcile --day 2020-01-01', /reports the days \S+ to \S+ \(Asia/],
    ['an unknown account to reconcile', 'reconcile --account x', /The deployment has no account x/],
    ['neither ids nor --all', 'quarantine redrive', /ids of entries, or --all/],
    ['both ids and --all', 'quarantine redrive x --all', /ids of entries, or --all/],
    ['a reason with ids', 'quarantine redrive x --reason too-deep', /needs --all/],
    ['a reason with ids to dismiss', 'quarantine dismiss x --reason too-deep --because y', /need --all/],
    ['an account with ids to dismiss', 'quarantine dismiss x --account acme --because y', /need --all/],
    ['no reason to dismiss', 'quarantine dismiss x', /--because/],
    ['an unknown reason', 'quarantine list --reason x', /Allowed choices are/],
    ['no range', 'replay', /Give --from and --to/],
    ['no queue to redrive', 'dead-letters redrive', /missing required argument 'queue'/],
    ['a queue that there is not', 'dead-letters list x', /Allowed choices are parked, forwarded, recordings/],
    ['ids of parked calls', 'dead-letters redrive parked 1', /are for recordings/],
    ['neither ids nor --all of recordings', 'recordings retry', /Give ids of calls, or --all/],
    ['an account in other letters to reconcile', 'reconcile --account DEMO', /The deployment has no account DEMO/],
    ['an account in other letters to derive again', `renormalise ${range} --account DEMO`, /has no account DEMO/],
    ['no range to derive again', 'renormalise --from 2026-11-20', /--to <instant>/],
    ['an invalid cursor of a derivation', `renormalise ${range} --account demo --cursor x`, /cursor: expected/],
    ['a range that ends before it begins', 'replay --from 2026-11-21 --to 2026-11-20', /must be before/],
    ['a range without a zone', 'replay --from 2026-11-21T10:00:00 --to 2026-11-22', /with its zone/],
    ['an unknown type of event', `replay ${range} --type x`, /Events are: Call Summary Recorded, /],
    ['events without rows', `replay ${range} --type Agent_Logged_In`, /get what was published then: archive/],
    ['recordings where none are archived', `replay ${range} --type Call_Recording_Archived`, /need recordings=archive/],
    ['a file that is not a saved replay', 'replay --resume package.json', /not saved by an interrupted replay/],
    ['a file that does not exist', 'replay --resume /nowhere/x', /cannot be read/],
    ['nobody to erase', 'erase --yes', /either --customer or --agent/],
    ['two persons to erase', 'erase --customer 0987650 --agent asha --yes', /cannot be used with option/],
    ['no number', 'erase --customer asha --yes', /telephone number of 6 digits or more/],
    ['a pseudonym of a customer', 'erase --customer 0987650 --as erased-00000000 --yes', /cannot be used with option/],
    ['another pseudonym', 'erase --agent asha --as x --yes', /Expected the pseudonym/],
    ['nobody to ask', 'erase --customer 0987650', /give --dry-run or --yes/],
    ['a range for a resumed replay', 'replay --resume x --from 2026-11-20', /cannot be used with option/],
  ])('ends with exit code 2 and a message: %s', async (_title, line, notes) => {
    const done = await at(line);

    expect(done).toMatchObject({ code: 2, output: '', notes: expect.stringMatching(notes) });
    expect(done.notes).not.toMatch(/\n\s+at /);
  });

  it('ends with exit code 1 where only the file is at fault', async () => {
    expect(await at(`replay ${range} --state /nowhere/x`)).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/name another --state/),
    });
  });

  it('shows the help where no command is given', async () => {
    expect(await cli([])).toMatchObject({ code: 2, output: '', notes: expect.stringMatching(/Usage: callfeed/) });
  });
});

describe('--help', () => {
  const shown = commands.flatMap((one) =>
    'commands' in one ? one.commands.map(({ name }) => `${one.name} ${name}`) : [one.name],
  );
  it.each(
    // A former name has neither, and the version needs none.
    shown.filter((path) => !/^(?:parked|forwarded|recordings|version)\b/.test(path)),
  )('has options and examples of %s', async (command) => {
    const { code, output } = await at(`${command} --help`);

    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/--endpoint <url>[\s\S]*Examples?:\n {2}\$ (?:npx |echo [^|]*\| )?callfeed /),
    ]);
  });

  it('lists the exit codes', async () => {
    expect(await at('--help')).toMatchObject({ code: 0, output: expect.stringMatching(/\nExit codes: 0 done/) });
  });
});

const parsers = { instantFrom, instantOrDayFrom, dayFrom, sinceFrom, 'wholeNumber(1, 10)': wholeNumber(1, 10) };
const instants = {
  '2026-11-20T06:00Z': '2026-11-20T06:00:00.000Z',
  '2026-11-20T06:00:00.5Z': '2026-11-20T06:00:00.500Z',
  '2026-11-20T11:30:00+05:30': '2026-11-20T06:00:00.000Z',
};
const noInstants = [
  ...['', 'today', '2026-11-20T06:00:00', '2026-02-30', '2026-02-30T06:00Z'],
  ...['2026-13-01', '2026-11-20T25:00Z', '20-11-2026'],
];
const anInstant = 'Expected an instant with its zone, such as 2026-11-20T06:00:00Z';

/** What each makes of what people type, what it rejects, and the end of its message, which says what is allowed. */
const typed: Readonly<
  Record<keyof typeof parsers, readonly [parsed: object, rejected: readonly string[], allowed: string]>
> = {
  instantFrom: [instants, noInstants, anInstant],
  instantOrDayFrom: [{ ...instants, '2026-11-20': '2026-11-20T00:00:00.000Z' }, noInstants, anInstant],
  dayFrom: [
    { '2026-11-20': '2026-11-20', today: 'today', yesterday: 'yesterday' },
    ['2026-02-30', '2026-11-20T00:00Z', 'tomorrow', ''],
    'Expected a day such as 2026-11-20, today or yesterday.',
  ],
  sinceFrom: [
    {
      '90m': { agoMs: 5_400_000 },
      '2h': { agoMs: 7_200_000 },
      '3d': { agoMs: 259_200_000 },
      '2026-11-20T11:30+05:30': { at: '2026-11-20T06:00:00.000Z' },
    },
    ['2', '0h', '2 h', '-2h', '2w', '14:30', 'yesterday', '2026-11-20'],
    'or how long ago, such as 90m, 2h or 3d.',
  ],
  'wholeNumber(1, 10)': [
    { 1: 1, 10: 10 },
    ['0', '11', '1.5', '-1', 'x', '', '9'.repeat(20)],
    'Expected a whole number from 1 to 10.',
  ],
};

it.each(keysOf(parsers))('%s parses what it names as allowed, and nothing else', (name) => {
  const [parsed, rejected, allowed] = typed[name];

  expect(Object.fromEntries(Object.keys(parsed).map((text) => [text, parsers[name](text)]))).toEqual(parsed);
  for (const text of rejected) expect(() => parsers[name](text), text).toThrow(allowed);
});

it('instantFrom says of a day that it has no zone', () => {
  expect(() => instantFrom('2026-11-20')).toThrow(/with its zone.*A day has no zone.*--day for one\.$/);
});

const named = (name: string, message = 'SENTINEL', about: object = {}) =>
  Object.assign(new Error(message), { name, ...about });

const unused = {
  dynamodb: { send: () => Promise.reject(new Error('Nothing must be read.')) },
  tables: { calls: 'calls', agents: 'agents' },
  account: 'demo',
};
const client = createCallfeedClient(unused);

describe('problemOf', () => {
  it('shows our own messages, with their exit code', () => {
    expect(problemOf(new Problem('Wrong.', 2))).toMatchObject({ message: 'Wrong.', exitCode: 2 });
    const changed = problemOf(loggableError('The row was changed'));
    expect(changed).toMatchObject({ message: 'The row was changed.', exitCode: 1 });
  });

  it.each<[string, () => unknown]>([
    ['tables.calls', () => createCallfeedClient({ ...unused, tables: { calls: '', agents: 'a' } })],
    ['cursor', () => client.calls().pages(1, 'x')],
    ['from', () => client.calls({ from: 'SENTINEL' })],
    ['to', () => client.calls({ to: 'SENTINEL' })],
    ['from, to', () => client.calls({ from: '2026-11-21T00:00:00Z', to: '2026-11-20T00:00:00Z' })],
    ['moment', () => client.floorAt('2026-11-20')],
  ])('shows why the client rejected the argument %s', async (argument, ask) => {
    const error = await new Promise((resolve) => resolve(ask())).catch((thrown: unknown) => thrown);
    const { message, exitCode } = problemOf(error);

    expect(message).toMatch(new RegExp(`^Invalid value: ${argument}: expected `));
    expect(message).not.toContain('SENTINEL');
    expect(exitCode).toBe(2);
  });

  it('shows which fields of a row are unreadable', () => {
    const message = 'A row AgentNow is not as this version of the client declares it: state.';
    expect(problemOf(new UnreadableRow('AgentNow', ['state']))).toMatchObject({ message, exitCode: 1 });
  });

  it.each<[unknown, RegExp]>([
    [new RangeError('SENTINEL: expected nothing'), /failed with RangeError\. Its message is not shown/],
    [new Error('agentId: expected SENTINEL'), /failed with Error\. Its message is not shown/],
    [named('Error', 'Region is missing'), /--region/],
    [named('CredentialsProviderError'), /no credentials/],
    [named('UnrecognizedClientException'), /rejected the credentials/],
    [named('QueueDoesNotExist'), /queue no longer exists/],
    [named('ResourceNotFoundException'), /table or secret no longer exists/],
    [named('Error', 'connect', { code: 'ECONNREFUSED' }), /cannot be reached/],
    [named('TimeoutError'), /in time/],
    [named('TypeError'), /failed with TypeError\. Its message is not shown/],
    ['SENTINEL', /for an unknown reason/],
  ])('explains %s without data from its message', (error, explanation) => {
    expect(problemOf(error).message).toMatch(explanation);
    expect(problemOf(error).message).not.toContain('SENTINEL');
    expect(problemOf(error).exitCode).toBe(1);
  });

  const session = 'arn:aws:sts::111122223333:assumed-role/viewer/jane@example.com';
  const table = 'arn:aws:dynamodb:eu-west-1:111122223333:table/callfeed-quarantine';
  const implicit = 'because no identity-based policy allows the dynamodb:Scan action';
  const explicit = 'with an explicit deny in a service control policy';
  const jane = 'arn:aws:iam::111122223333:user/jane';
  const elsewhere = 'on the resource associated with this ciphertext because it does not exist in this Region';
  const queue = 'arn:aws:sqs:eu-west-1:111122223333:parking';
  const viewer = 'is not allowed for the role viewer';
  const nobody = 'is not allowed for these credentials';
  it.each([
    [
      session,
      `dynamodb:Scan on resource: ${table} ${implicit}`,
      `dynamodb:Scan on table/callfeed-quarantine ${viewer}.`,
    ],
    [
      session,
      `sqs:getqueueattributes on resource: ${queue} ${explicit}`,
      `sqs:getqueueattributes on parking ${viewer} (${explicit}).`,
    ],
    [jane, `kms:Decrypt on resource: * ${explicit}`, `kms:Decrypt ${nobody} (${explicit}).`],
    [session, `kms:Decrypt ${elsewhere}`, `kms:Decrypt ${viewer} (${elsewhere}).`],
    ['arn:x', 'events:PutRule', `events:PutRule ${nobody}.`],
  ])('says in a sentence what AWS denied, to whom, and not who that is: %s %s', (user, action, sentence) => {
    for (const name of ['AccessDenied', 'AccessDeniedException']) {
      const denied = named(name, `User: ${user} is not authorized to perform: ${action}`);
      expect(problemOf(denied)).toMatchObject({ message: `AWS denied access: ${sentence}`, exitCode: 1 });
    }
  });

  it('shows a denial of another form as it is', () => {
    expect(problemOf(named('AccessDeniedException', 'Access to KMS is not allowed')).message).toBe(
      'AWS denied access: Access to KMS is not allowed',
    );
  });
});
