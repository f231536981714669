import { beforeAll, describe, expect, it } from 'vitest';
import { consoleApi } from '../../../cli/console/api.ts';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { createCallfeedClient } from '../../../client/index.ts';
import { collected } from '../../client/support/clients.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { account, deploymentWith } from '../support/local-deployment.ts';

const now = '2026-11-21T12:00:00.000Z';

/** One caller, as nine machines write the number; the last two calls are of others. */
const sentAs = [
  '9840070055',
  '0919840070055',
  '91-9840070055',
  '919840070055.0',
  '+91 98400 70055',
  '+91(0)9840070055',
  '9109840070055',
  '98400/70055',
  'tel:+919840070055;ext=12',
  '9840070056',
  '',
];
const ofCaller = ['100', '101', '102', '103', '104', '105', '106', '107', '108'];

const posts = sentAs.map((CallerID, index) => ({
  contentType: 'application/json',
  body: JSON.stringify({
    UserName: 'demo',
    Apikey: 'demo-key',
    monitorUCID: `${100 + index}`,
    Type: 'Inbound',
    Status: 'NotAnswered',
    CallerID,
    StartTime: `2026-11-21 13:${10 + index}:00`,
  }),
  query: '',
}));

let deployment: Deployment;
beforeAll(async () => {
  deployment = await deploymentWith(account, posts, now);
});

const run = (...args: readonly string[]) => cli(args, { connect: async () => deployment, clock: () => new Date(now) });
const api = () =>
  consoleApi({ deployment, clock: () => new Date(now), location: { stack: 'callfeed-prod' }, isPersonal: true }).gets;

const usualOnly =
  'Only calls with a usual spelling of the number are found: bare, or with 0, +, 00 or the country’s code';

describe.each(['9840070055', '+91 98400-70055', '0919840070055'])(
  'the calls of a customer who is typed as %s',
  (typed) => {
    const idsIn = (calls: readonly { readonly callId?: unknown }[]) => calls.map(({ callId }) => callId).sort();
    const onDay = { day: '2026-11-21', timeZone: 'Asia/Kolkata' };

    it('are all of them on a day, by the client', async () => {
      const { dynamodb, tables } = deployment;
      const client = createCallfeedClient({ dynamodb, tables, account: 'demo' });

      expect(idsIn(await collected(client.callsOfCustomer(typed, onDay)))).toEqual(ofCaller);
    });

    it('are all of them on a day, on the command line, in pages too', async () => {
      const ofDay = ['calls', '--customer', typed, '--day', '2026-11-21', '--json'];
      const whole = await run(...ofDay);
      const first = await run(...ofDay, '--limit', '3');
      const [, cursor = ''] = /--cursor (\S+)\n$/.exec(first.notes) ?? [];
      const rest = await run(...ofDay, '--cursor', cursor);

      expect(idsIn(jsonLines(whole))).toEqual(ofCaller);
      expect(whole.notes).not.toContain(usualOnly);
      expect([...jsonLines(first), ...jsonLines(rest)]).toEqual(jsonLines(whole));
    });

    it('are all of them on a day, in the console and in its file', async () => {
      const query = { day: '2026-11-21', customer: typed };
      const asked = { signal: AbortSignal.abort() };
      const { calls, isUsualSpellingsOnly } = Object(await api()['calls']?.(query, asked));
      const { body } = Object(await api()['calls-csv']?.(query, asked));
      const file = (await body.toArray()).join('');

      expect([idsIn(calls), isUsualSpellingsOnly]).toEqual([ofCaller, false]);
      expect(
        file
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line: string) => line.split(',')[1])
          .sort(),
      ).toEqual(ofCaller);
    });

    it('are without a range those of usual spellings, as is said', async () => {
      const found = await run('calls', '--customer', typed, '--json');

      expect(idsIn(jsonLines(found))).toEqual(expect.arrayContaining(['100']));
      expect(idsIn(jsonLines(found)).length).toBeLessThan(ofCaller.length);
      expect(found.notes).toContain(`${usualOnly} before it. For others give --day, --since or --from.\n`);
    });
  },
);

it('each call has its number in E.164 in the file, hidden unless numbers are shown', async () => {
  const columnsOf = async (...more: readonly string[]) => {
    const { output } = await run('calls', '--day', '2026-11-21', '--csv', ...more);
    const [head = '', ...lines] = output.trim().slice(1).split('\r\n');
    const at = head.split(',').indexOf('customerNumberE164');
    return lines.map((line) => line.split(',')[at]);
  };

  expect(await columnsOf('--show-personal')).toEqual(['', "'+919840070056", ...Array(9).fill("'+919840070055")]);
  expect(await columnsOf()).toEqual(['', ...Array(10).fill('(hidden)')]);
});
