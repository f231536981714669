import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Account } from '../../lib/accounts/accounts.ts';
import { tokenKey } from '../../lib/agents/agent-rows.ts';
import { decryptToken } from '../../lib/agents/encrypt-token.ts';
import { type Served, serve } from '../../sandbox/http/serve.ts';
import { answerKinds } from '../../sandbox/simulator/service/answer-quirks.ts';
import { type AgentsSandbox, startAgentsSandbox } from '../support/agents-sandbox.ts';
import { echoService } from '../support/local-servers.ts';
import { publishedAgentEvents } from '../support/published-agent-events.ts';

const key = 'SENTINEL/key+with "odd" characters';
const name = 'Zaphod Beeblebrox';
const phoneNumber = '09999912345';
const generate = { kind: 'generate' } as const;
const agreed = { kind: 'static', value: 'SENTINEL-agreed-token' } as const;

const account = (userName: string, token: Account['token'], more: Partial<Account> = {}): Account => {
  return { userName, apiKeys: [`${key} of ${userName}`], timeZone: 'Asia/Kolkata', token, ...more };
};

/** Those whom the simulator serves: they are met with every kind of answer. */
const simulated = [account('demo', { kind: 'none' }), account('agreed', agreed), account('generated', generate)];

/** What becomes of those who are elsewhere. */
const problems = {
  nobody: 'connection',
  'echo-refusal': 'unauthorised',
  'echo-fault': 'http-error',
  'echo-redirect': 'redirect',
  // All is well with it but for minutes without a poll.
  'echo-record': 'not-polled',
  // In the end ten were asked for in an hour.
  'echo-no-token': 'token-limit',
  'echo-bad-token': 'token-limit',
} as const;

const externalAccounts = (echoes: string): readonly Account[] => [
  account('nobody', agreed, { baseUrl: 'http://127.0.0.1:9' }),
  ...(['echo-refusal', 'echo-fault', 'echo-redirect', 'echo-record'] as const).map((userName) =>
    account(userName, agreed, { baseUrl: `${echoes}/${userName}` }),
  ),
  ...(['echo-no-token', 'echo-bad-token'] as const).map((userName) =>
    account(userName, generate, { baseUrl: `${echoes}/${userName}` }),
  ),
];

let sandbox: AgentsSandbox;
let echoes: Served;
const consoleLines: string[] = [];
const logged: string[] = [];

beforeAll(async () => {
  echoes = await serve(echoService({ name, phoneNumber }));
  sandbox = await startAgentsSandbox({
    accounts: [...simulated, ...externalAccounts(echoes.url)],
    onLog: (line) => consoleLines.push(line),
    onFunctionOutput: (_name, text) => logged.push(text),
  });
});
afterAll(async () => {
  await sandbox.stop();
  await echoes.close();
});

const rows = async () => (await sandbox.dynamodb.send(new ScanCommand({ TableName: 'callfeed-agents' }))).Items ?? [];

/** The token that is sealed in the table for an account that the simulator serves. */
const tokenOf = async (userName: string) => {
  const { pk, sk } = tokenKey(userName);
  const encrypted = (await sandbox.get({ pk: { S: pk }, sk: { S: sk } })).rows[0]?.['encryptedToken'];
  return decryptToken(String(encrypted), `${key} of ${userName}`);
};

const provider = (path: string, init?: RequestInit) => fetch(`${sandbox.addresses.provider}/_simulator${path}`, init);

it('has no key or token of the agents’ half in anything that can be read, and nobody in a log', async () => {
  const tokens = new Set<string | undefined>();
  for (const { userName } of simulated)
    await sandbox.script({ action: 'log-in', account: userName, agentId: 'zaphod', name, phoneNumber });
  for (const [index, kind] of ['empty-list' as const, ...answerKinds].entries()) {
    for (const { userName } of simulated) {
      const state = `State ${index}`;
      const body = JSON.stringify({ kind, account: userName, seconds: 0.1 });
      await provider('/answers', { method: 'POST', body });
      await sandbox.script({ action: 'set-state', account: userName, agentId: 'zaphod', state });
    }
    // Six minutes, since no back-off is longer; and late in a slot, so that nothing is asked twice in it.
    await sandbox.poll(index === 0 ? 6 * 60 + 12 : 6 * 60);
    tokens.add(await tokenOf('generated'));
  }
  await sandbox.poll(6 * 60);

  const stream = { endpoint: sandbox.addresses.dynamodb, client: sandbox.dynamodb };
  const changes = await publishedAgentEvents({
    ...stream,
    tableNames: { agents: 'callfeed-agents', calls: '', quarantine: '' },
  });
  await changes.events('demo');
  changes.stop();
  const kept = [...(await rows()), ...changes.changes(), ...(await sandbox.events())].map((each) =>
    JSON.stringify(each),
  );
  const answers = await Promise.all(
    [await fetch(sandbox.addresses.sandbox), await fetch(sandbox.addresses.agents), await provider('')].map((answer) =>
      answer.text(),
    ),
  );

  for (const [userName, reason] of Object.entries(problems)) {
    const feed = (await sandbox.get({ pk: { S: userName }, sk: { S: 'feed' } })).rows[0];
    expect([userName, (feed?.['lastProblem'] as { reason?: string } | undefined)?.reason]).toEqual([userName, reason]);
  }
  expect(tokens.size).toBeGreaterThan(2);
  expect([...tokens]).not.toContain(undefined);
  for (const { apiKeys } of simulated) tokens.add(apiKeys[0]);
  const secrets = ['SENTINEL', Buffer.from(key).toString('base64').slice(0, -4), ...tokens].map(String);
  for (const secret of secrets)
    expect([...kept, ...answers, ...consoleLines, ...logged].filter((text) => text.includes(secret))).toEqual([]);
  for (const person of [name, phoneNumber]) {
    expect(kept.filter((text) => text.includes(person)).length).toBeGreaterThan(50);
    expect([...consoleLines, ...logged].filter((text) => text.includes(person))).toEqual([]);
  }
  expect(logged.join('')).toMatch(/"function":"poll-agents".*"function":"publish-changes"/s);
}, 60_000);
