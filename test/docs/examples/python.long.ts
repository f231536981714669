import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinedKey } from '../../../lib/storage/rows.ts';
import { checkout } from '../../support/packed-package.ts';
import { commandsIn } from './support/example-project.ts';
import { ids, type ReadersSandbox, startReadersSandbox } from './support/readers-sandbox.ts';

const folder = join(checkout, 'docs/examples/python');
let sandbox: ReadersSandbox;

beforeAll(async () => {
  sandbox = await startReadersSandbox();
});
afterAll(() => sandbox?.stop());

const python = (...args: readonly string[]) => sandbox.run(folder, 'python', ...args);

describe('in Python', () => {
  it('runs every command of the README', async () => {
    const commands = commandsIn('python', /^python /);
    expect(commands.length).toBeGreaterThan(3);

    for (const command of commands)
      expect(await sandbox.run(folder, 'bash', '-c', command), command).toMatchObject({ code: 0, errors: '' });
  });

  it('encodes keys as the functions do', async () => {
    const parts = ['+91 98', "a!~*'()_.-b", 'ü/#%"\\', '😀'];
    const script = 'import sys; from tables import key; print(key(*sys.argv[1:]))';

    expect(await python('-c', script, ...parts)).toEqual({ code: 0, output: `${joinedKey(...parts)}\n`, errors: '' });
  });

  it('reads all pages of a query', async () => {
    const script = `
from boto3.dynamodb.conditions import Key
from tables import calls_table, key, query
found = query(calls_table(), IndexName="byTime", KeyConditionExpression=Key("accountCalls").eq(key("demo")), Limit=2)
print(*sorted(row["callId"] for row in found))`;
    const { output } = await python('-c', script);

    expect(output.trim().split(' ')).toEqual(
      expect.arrayContaining(['100', '101', ids.missed, ids.answered, ids.legs]),
    );
  });

  it('prints the agents and the age of the data', async () => {
    const { output } = await python('floor_now.py', 'demo');

    expect(output).toMatch(
      /^Live: seen \d+ s ago\.\npause {7}ravi {18}since [\d:]{8} UTC\nready {7}asha {18}since [\d:]{8} UTC {2}Sales, Returns\n$/,
    );
  });

  it('prints STALE by the clock, and NEVER POLLED without a feed', async () => {
    expect((await python('floor_now.py', 'old & gone')).output).toMatch(
      /^STALE: seen \d+ s ago, and it may have changed since/,
    );
    expect(await python('floor_now.py', 'nobody')).toEqual({
      code: 1,
      output: '',
      errors: 'NEVER POLLED: no poll of nobody has succeeded yet.\n',
    });
  });

  it('prints the missed calls from midnight to midnight in the account’s zone', async () => {
    expect(await python('missed_calls.py', 'demo', '2026-11-20')).toEqual({
      code: 0,
      output: `10:00:00  ${ids.missed}  +91 98 44  Sales  after 120 s\n`,
      errors: '',
    });
  });

  it('prints what a sender has put into a field, and no control character', async () => {
    expect((await python('missed_calls.py', 'demo', '2026-11-12')).output).toMatch(
      /^10:00:00 {2}\d+ .* A\\u001b\[2J\\u202eB .*\n$/,
    );
    expect((await python('one_call.py', 'demo', ids.hostile)).output).toContain(
      'disposition: No\\u000d\\u009b2J sale\n',
    );
  });

  it('prints today’s missed calls without a day', async () => {
    let callId = 5000;
    const missedNow = async () => {
      callId += 1;
      const now = new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Kolkata' });
      await sandbox.post(String(callId), { StartTime: now, EndTime: now });
      return (await python('missed_calls.py', 'demo')).output.includes(String(callId));
    };

    await expect.poll(missedNow, { timeout: 30_000 }).toBe(true);
  });

  it('exports the calls of the days since the last run, and late calls of earlier days, each once', async () => {
    const script = `
import json, pathlib, sys, tempfile
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo
from nightly_export import export
from tables import instant
folder, zone, now = pathlib.Path(tempfile.mkdtemp()), ZoneInfo("Asia/Kolkata"), datetime.now(timezone.utc)
late_until = instant(now - timedelta(hours=1))
(folder / "progress.json").write_text(json.dumps({"next_day": "2026-11-20", "late_until": late_until}))
tomorrow = (now.astimezone(zone) + timedelta(days=1)).replace(hour=0, minute=59)
try:
    export("demo", folder, zone, tomorrow)
except SystemExit as error:
    print(error, file=sys.stderr)
for minutes in (5, 6):
    file = export("demo", folder, zone, tomorrow.replace(hour=1, minute=minutes))
    print(*sorted(json.loads(line)["callId"] for line in file.read_text().splitlines()))`;
    const { output, errors } = await python('-c', script);

    expect(errors).toBe('Too early: yesterday is complete an hour after midnight in Asia/Kolkata.\n');
    const [first = '', second] = output.split('\n');
    const exported = first.split(' ').filter((id) => !id.startsWith('50'));
    // 101, the call with legs and that with control characters are from before the days of this run.
    expect(exported).toEqual(['100', '101', '12345678901234567890', ids.missed, ids.answered, ids.legs, ids.hostile]);
    expect(second).toBe('');
  });

  it('prints the legs of a call with every digit of its id', async () => {
    const { output } = await python('one_call.py', 'demo', ids.legs);

    expect(output).toBe(
      `call ${ids.legs}: answered, asha, ravi, revision 3, delivered 3 times\n` +
        '  disposition: Sale\n  leg 900 answered\n  leg 901 not-answered\n',
    );
    expect(await python('one_call.py', 'demo', '1')).toMatchObject({
      code: 1,
      errors: 'There is no call 1 of demo.\n',
    });
  });
});
