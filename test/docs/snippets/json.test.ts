import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSettings } from '../../../cdk/settings/read-settings.ts';
import { WaitingCaller } from '../../../lib/contract/missed-callers.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { cli } from '../../cli/support/cli-run.ts';
import { pages, snippetsOf } from '../../support/repository-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { isExempt } from '../commands/not-run.ts';
import { eventFaults, faultsOfPart, type Plain } from '../contract/support/event-bridge.ts';
import { isJson } from './run-snippet.ts';

const account = { userName: 'acme', apiKeys: ['THE-KEY'], timeZone: 'Asia/Kolkata' };

/** What is wrong with a list of accounts, as `callfeed check-accounts` says it. */
const accounts = async (list: unknown): Promise<unknown> => {
  const file = join(temporaryFolder('accounts').path, 'accounts.json');
  writeFileSync(file, JSON.stringify(list));
  const { code, notes } = await cli(['check-accounts', file]);
  return code === 0 ? [] : notes;
};

/** What is wrong with the settings in `callfeed.json`, of each stage that they have. */
const settings = ({ callbackSecret, ...given }: Plain): unknown => {
  const secret = callbackSecret === 'what openssl rand -hex 24 prints' ? 'f'.repeat(48) : callbackSecret;
  const read = { ...given, ...(secret !== undefined && { callbackSecret: secret }) };
  const results = keysOf(Object(given['stages'] ?? { prod: {} })).map((stage) => parseSettings({ ...read, stage }));
  return results.flatMap((result) => (result.ok ? [] : result.problem));
};

/** What a snippet of JSON shows, by a text in it, as what is wrong with it. */
const shows: Readonly<Record<string, Readonly<Record<string, (value: never) => unknown>>>> = {
  'README.md': {
    '"kind": "call"': (row: unknown) => faultsOfPart('rows/call', row),
    '"detail-type"': (event: unknown) => faultsOfPart('CallSummaryRecorded', event),
    '"userName"': accounts,
  },
  'docs/configuration.md': {
    '"userName"': accounts,
    '"words"': (fields: object) => accounts([{ ...account, ...fields }]),
  },
  'docs/contract.md': {
    '"detail-type"': eventFaults,
    '"waitingSeconds"': (row: unknown) => WaitingCaller.safeParse(row).error?.issues ?? [],
  },
  'docs/deploying.md': {
    '"alarmEmail": "ops@example.com", "callbackSecret"': settings,
    '"callbackDomain"': settings,
    '"stages"': settings,
  },
  'docs/forwarding.md': { '"forwardTo"': accounts },
  'docs/operations.md': { '"words"': (fields: object) => accounts([{ ...account, ...fields }]) },
};

const snippets = pages.flatMap(snippetsOf).filter((snippet) => isJson(snippet) && !isExempt(snippet));

/** The value of a snippet. One that begins with a name is a part of an object. */
const jsonIn = (text: string): never => JSON.parse(text.startsWith('"') ? `{${text}}` : text) as never;

const named = snippets.map(({ page, text }) => [page, text.split('\n')[0], text] as const);

it.each(named)('%s shows what is accepted: %s', async (page, _begins, text) => {
  const [check, ...others] = Object.entries(shows[page] ?? {}).filter(([part]) => text.includes(part));

  expect([check, others]).toEqual([expect.anything(), []]);
  expect(await check?.[1](jsonIn(text))).toEqual([]);
});

it('every text above is in a snippet, and finds what is wrong', async () => {
  const parts = Object.entries(shows).flatMap(([page, checks]) => keysOf(checks).map((part) => [page, part] as const));
  const unused = parts.filter(
    ([page, part]) => !snippets.some((snippet) => snippet.page === page && snippet.text.includes(part)),
  );

  expect(unused).toEqual([]);
  expect(await accounts([{ ...account, words: { status: { Abandoned: 'left' } } }])).toContain('words');
  expect(settings({ stages: { dev: { alarmMail: 'ops@example.com' } } })).toEqual([
    expect.stringContaining('alarmMail'),
  ]);
  expect(faultsOfPart('rows/call', { callID: '1' })).toHaveLength(1);
  expect(faultsOfPart('CallSummaryRecorded', { detail: { call: { status: 'answred' } } })).not.toEqual([]);
});
