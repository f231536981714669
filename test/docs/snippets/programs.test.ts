import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type CallfeedClient, createCallfeedClient, type ListedCall } from '../../../client/index.ts';
import { exampleEvents } from '../../../docs/contract/examples.ts';
import { call, type Deployment, deployment, loggedIn, recorded } from '../../deployment/index.ts';
import { polledAccount } from '../../fixtures/accounts.ts';
import { pages, snippetsOf } from '../../support/repository-files.ts';
import { isExempt } from '../commands/not-run.ts';
import { isProgram, runSnippet, type Surroundings } from './run-snippet.ts';

/** What the programs of a page print, and values that they leave. */
const expected: Readonly<Record<string, { readonly prints: readonly unknown[][]; readonly leaves?: Surroundings }>> = {
  'README.md': {
    prints: [
      ['2 agents, 0 s ago'],
      ['903', 'not-answered'],
      ['902', 'not-answered'],
      ['901', 'answered'],
      ['41781234567890199', 'not-answered'],
    ],
  },
  'docs/consuming.md': {
    prints: [
      ['41781234567890199', 'not-answered'],
      ['2 agents, 0 s ago'],
      ['903', 'General'],
      ['902', 'General'],
      ['41781234567890199', 'General'],
      // Of two calls, as the third was too short to count, one was answered within 20 seconds. No agent's time is known yet.
      [0.5, undefined, undefined],
      ['General', 3],
    ],
    leaves: {
      free: [{ agentId: 'asha' }],
      // Nobody needs to call back who hung up after three seconds.
      toCallBack: [{ callId: '902' }, { callId: '41781234567890199' }],
    },
  },
  'CONTRIBUTING.md': { prints: [] },
};

const programs = pages
  .map((page) => ({ page, snippets: snippetsOf(page).filter((each) => isProgram(each) && !isExempt(each)) }))
  .filter(({ snippets }) => snippets.length > 0);

let d: Deployment;
let client: CallfeedClient;
let surroundings: Surroundings;
let printed: unknown[][] = [];

/** Two days with an answered call and three missed ones, after which one of two agents is free. */
beforeAll(async () => {
  d = await deployment({ accounts: [polledAccount], startedAt: '2026-11-21T06:00:01.000Z' });
  const from = (StartTime: string, EndTime: string, monitorUCID: string) => call({ monitorUCID, StartTime, EndTime });
  await d.post(readFileSync('sandbox/examples/missed-call.json', 'utf8'));
  await d.post(from('2026-11-21 10:00:00', '2026-11-21 10:04:10', '901').answered());
  await d.post(from('2026-11-21 10:10:00', '2026-11-21 10:14:10', '902').missed());
  await d.post(from('2026-11-21 10:20:00', '2026-11-21 10:20:03', '903').missed().with({ CallDuration: '00:00:03' }));
  d.service.answers({ logins: [loggedIn({ asha: 'READY', ravi: 'PAUSE' })] });
  await d.poll();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(d.now()) });

  client = createCallfeedClient({ dynamodb: d.dynamodb, tables: d.tables, account: 'demo' });
  const calls: ListedCall[] = [];
  for await (const call of client.calls({ from: '2026-11-20T00:00:00+05:30' })) calls.push(call);
  surroundings = {
    console: { log: (...values: unknown[]) => printed.push(values) },
    // biome-ignore lint/complexity/useArrowFunction: snippets call it with `new`.
    DynamoDBClient: function () {
      return d.dynamodb;
    },
    record: { body: JSON.stringify((await exampleEvents()).missed) },
    calls,
    call,
    deployment,
    expect,
    recorded,
  };
});
afterAll(async () => {
  vi.useRealTimers();
  await d?.stop();
});

it.each(programs)('the programs of $page run, and show what is so', async ({ page, snippets }) => {
  printed = [];
  let around = surroundings;
  for (const { text, ...snippet } of snippets)
    around = await runSnippet({ ...snippet, text: text.replaceAll("'callfeed-", "'") }, around);

  const { prints = ['A page with programs needs a line above'], leaves = {} } = expected[page] ?? {};
  expect(printed).toEqual(prints);
  expect(around).toMatchObject(leaves);
});

it('pages with programs are all that are expected', () => {
  expect(programs.map(({ page }) => page).toSorted()).toEqual(Object.keys(expected).toSorted());
});

it('docs/consuming.md has every method of the client', () => {
  const [, table = ''] = readFileSync('docs/consuming.md', 'utf8').split('| Method | Reads |');
  const rows = (table.split('\n\n')[0] ?? '').match(/^\| [^|]* \|/gm) ?? [];
  const listed = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name));

  expect(new Set(listed)).toEqual(new Set(Object.keys(client)));
});
