import { describe, expect, it } from 'vitest';
import { cli } from './support/cli-run.ts';
import { stubDeployment } from './support/stub-deployment.ts';

const at = (line: string) =>
  cli(
    // An underscore stands for a space within an argument.
    line.split(' ').map((argument) => argument.replaceAll('_', ' ')),
    { connect: async () => stubDeployment() },
  );

describe('a wrong command line', () => {
  const range = '--from 2026-11-20 --to 2026-11-21';
  it.each([
    ['an unknown command', 'nix', /unknown command/],
    ['an unknown option', 'parked list --nix', /unknown option/],
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
    ['a day and a range', 'calls --day today --to 2026-11-20T00:00Z', /--day, or --since, or --from and --to/],
    [
      'a day and a range of unknown words',
      'unknown --day today --from 2026-11-20T00:00Z',
      /--day, or --since, or --from/,
    ],
    ['a day and how long ago', 'calls --day today --since 2h', /--day, or --since/],
    ['a recording without a range', 'calls --recorded', /--recorded needs --day, --since or --from/],
    ['the recordings of an agent', 'calls --recorded --day today --agent a', /leave out --agent/],
    ['a time zone without a day', 'calls --time-zone UTC', /--time-zone needs --day/],
    ['an unknown status', 'calls --status missed', /Allowed choices are answered, not-answered, unknown/],
    ['an unknown type of call', 'calls --type x', /Allowed choices are progressive, inbound, /],
    ['an agent and a customer', 'calls --agent a --customer 1', /not both/],
    [
      'calls of a range that ends before it begins',
      'calls --from 2026-11-21T00:00Z --to 2026-11-20T00:00Z',
      /does not end before it begins/,
    ],
    ['an invalid cursor', 'calls --cursor x', /cursor: expected/],
    ['two formats of calls', 'calls --csv --json', /--json or --csv, not both/],
    ['two formats of a day', 'day --csv --json', /--json or --csv, not both/],
    ['an unknown group', 'day --by team', /Allowed choices are agent, skill, campaign, hour/],
    ['a threshold of nothing', 'day --short 0', /whole number from 1 to 3600/],
    ['a day in the future', 'day --date 2100-01-01', /2100-01-01 has not begun in /],
    ['an unknown event', 'events --type x', /Events are: Call Summary Recorded, /],
    ['too many days to reconcile', 'reconcile --last 16', /whole number from 1 to 15/],
    ['a day and days to reconcile', 'reconcile --day today --last 2', /--day or --last, not both/],
    ['a day that the report no longer has', 'reconcile --day 2020-01-01', /reports the days \S+ to \S+ \(Asia/],
    ['an unknown account to reconcile', 'reconcile --account x', /The deployment has no account x/],
    ['neither ids nor --all', 'quarantine redrive', /ids of entries, or --all/],
    ['both ids and --all', 'quarantine redrive x --all', /ids of entries, or --all/],
    ['a reason with ids', 'quarantine redrive x --reason too-deep', /needs --all/],
    ['no reason to dismiss', 'quarantine dismiss x', /--because/],
    ['an unknown reason', 'quarantine list --reason x', /Allowed choices are/],
    ['no range', 'replay', /Give --from and --to/],
    ['no range to derive again', 'renormalise --from 2026-11-20', /Give --from and --to/],
    ['an invalid cursor of a derivation', `renormalise ${range} --account demo --cursor x`, /cursor: expected/],
    ['a range that ends before it begins', 'replay --from 2026-11-21 --to 2026-11-20', /must be before/],
    ['a range without a zone', 'replay --from 2026-11-21T10:00:00 --to 2026-11-22', /with its zone/],
    ['an unknown type of event', `replay ${range} --type x`, /Events are: Call Summary Recorded, /],
    ['events without rows', `replay ${range} --type Agent_Logged_In`, /get what was published then: archive/],
    ['a file that is not a saved replay', 'replay --resume package.json', /not saved by an interrupted replay/],
    ['a file that does not exist', 'replay --resume /nowhere/x', /cannot be read/],
    ['nobody to erase', 'erase --yes', /either --customer or --agent/],
    ['two persons to erase', 'erase --customer 0987650 --agent asha --yes', /either --customer or --agent/],
    ['no number', 'erase --customer asha --yes', /telephone number of 6 digits or more/],
    ['a pseudonym of a customer', 'erase --customer 0987650 --as erased-00000000 --yes', /--as needs --agent/],
    ['another pseudonym', 'erase --agent asha --as x --yes', /Expected the pseudonym/],
    ['nobody to ask', 'erase --customer 0987650', /give --dry-run or --yes/],
    ['a range for a resumed replay', 'replay --resume x --from 2026-11-20', /takes everything else from the file/],
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
  it.each([
    ...[
      'status',
      'agents',
      'floor',
      'timeline',
      'calls',
      'call',
      'unknown',
      'events',
      'send',
      'reconcile',
      'replay',
      'erase',
    ],
    ...[
      'quarantine list',
      'quarantine show',
      'quarantine redrive',
      'quarantine dismiss',
      'parked list',
      'parked redrive',
    ],
  ])('has options and examples of %s', async (command) => {
    const { code, output } = await at(`${command} --help`);

    expect([code, output]).toEqual([0, expect.stringMatching(/--endpoint <url>[\s\S]*Examples?:\n {2}\$ callfeed /)]);
  });

  it('lists the exit codes', async () => {
    expect(await at('--help')).toMatchObject({ code: 0, output: expect.stringMatching(/\nExit codes: 0 done/) });
  });
});
