import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import * as z from 'zod';
import { root, startProcessTree, until } from '../../../support/process-tree.ts';
import { allRows, region, rootKey } from '../clients.ts';
import { stackName } from '../deployment.ts';
import { account, personalTexts, type TestContext } from '../test-context.ts';

/** Who looks: a role, a folder for its profile, and the calls that only the report had. */
interface Viewer {
  readonly roleArn: string;
  readonly folder: string;
  readonly found: readonly string[];
}

/** Asks the console; throws unless its answer has the status, and the shape. */
type Ask = <Shape extends z.ZodType>(shape: Shape, path: string, status?: number) => Promise<z.infer<Shape>>;

/** What is asserted of each answer. */
const text = z.string();
const AgentState = z.object({ agentId: text, name: text, state: text });
const answers = {
  about: z.object({
    accounts: z.array(z.object({ account: text, timeZone: text })),
    isSandbox: z.boolean(),
    isPersonal: z.boolean(),
  }),
  feed: z.object({ asOf: text }),
  floor: z.object({ asOf: text, agents: z.array(AgentState) }),
  calls: z.object({
    calls: z.array(
      z.object({ callId: text, agentIds: z.array(text), agentNames: z.array(text), customerNumber: text.optional() }),
    ),
  }),
  call: z.object({
    call: z.object({
      facts: z.object({ status: text, dispositions: z.array(text), customerNumber: text }),
      deliveries: z.array(z.unknown()),
    }),
  }),
  operations: z.object({ cards: z.array(z.object({ title: text, verdict: text, lines: z.array(z.unknown()) })) }),
  problem: z.object({ message: text }),
};

/** What the console shows instead of personal data. */
const hidden = '(hidden)';

const timeZone = 'Asia/Kolkata';
const ofAccount = ['--account', account.userName, '--time-zone', timeZone];
const callId = '12345678901234567890';
const listCallId = '41781234567890123';
const day = '2026-11-20';

/** Runs `callfeed console` with a profile of the role, as people do. Resolves with the texts of its answers. */
const withConsole = async (
  { endpoint }: TestContext,
  { roleArn, folder }: Viewer,
  args: readonly string[],
  act: (ask: Ask) => Promise<void>,
): Promise<string> => {
  const AWS_CONFIG_FILE = join(folder, 'profiles');
  const { accessKeyId, secretAccessKey } = rootKey;
  await writeFile(
    AWS_CONFIG_FILE,
    `[profile root]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n` +
      `[profile viewer]\nsource_profile = root\nrole_arn = ${roleArn}\nregion = ${region}\n`,
  );
  const lines: string[] = [];
  const tree = startProcessTree({
    command: join(root, 'cli/callfeed.js'),
    args: ['console', '--stack', stackName, '--profile', 'viewer', ...args],
    folder,
    environment: { PATH: dirname(process.execPath), HOME: folder, AWS_CONFIG_FILE, AWS_ENDPOINT_URL: endpoint },
    onLine: (line) => lines.push(line),
  });
  try {
    const isAddress = (line: string): boolean => line.startsWith('http');
    await until(
      'the console prints its address',
      () => lines,
      () => lines.some(isAddress),
      { seconds: 30 },
    );
    const texts: string[] = [];
    await act(async (shape, path, status = 200) => {
      const answer = await fetch(`${lines.find(isAddress)}console/api/${path}`);
      const body = await answer.text();
      expect(answer.status, `The status of ${path}, with ${body}`).toStrictEqual(status);
      texts.push(body);
      return shape.parse(JSON.parse(body));
    });
    return texts.join('\n');
  } finally {
    await tree.stop();
  }
};

/** The console shows what the steps before have stored, to a role that may only read both tables; and changes nothing. */
export const lookAtConsole = async (context: TestContext, viewer: Viewer): Promise<void> => {
  const denied = (action: string): string =>
    `AWS denied access: ${action} is not allowed for the role ${viewer.roleArn.split('/').at(-1)}.`;
  const before = await storedRows(context);

  const shown = await withConsole(context, viewer, ofAccount, async (ask) => {
    await expectAgents(ask);
    await expectCalls(ask, viewer.found);
    await expectOperations(ask, denied);
    const { message } = await ask(answers.problem, `as-sent?id=${callId}`, 400);
    expect(message, 'A call as it was sent needs --personal').toContain('--personal');
  });
  expect(foundIn(shown), 'The personal data in these answers').toStrictEqual([]);

  const personal = await withConsole(context, viewer, [...ofAccount, '--personal'], async (ask) => {
    for (const path of ['floor', `calls?day=${day}`, `as-sent?id=${callId}`]) await ask(z.unknown(), path);
    expect(await ask(answers.problem, 'quarantined?id=any', 502), 'The answer to a quarantined post').toStrictEqual({
      message: denied('dynamodb:GetItem'),
    });
  });
  expect(foundIn(personal), 'The personal data with --personal').toStrictEqual(personalTexts);
  expect(personal, 'The key is not in it').not.toContain(account.apiKey);

  await withConsole(context, viewer, [], async (ask) => {
    const { accounts } = await ask(answers.about, 'about');
    expect(accounts, 'The accounts, without the right to read the secret').toContainEqual({
      account: account.userName,
      timeZone,
    });
  });

  expect(await storedRows(context), 'The rows after all that').toStrictEqual(before);
};

const foundIn = (text: string): readonly string[] => personalTexts.filter((personal) => text.includes(personal));

/** The rows of all tables, but for the state of the reconciliation, which goes on by itself. */
const storedRows = async ({ clients: { dynamodb }, outputs }: TestContext) => {
  const tables = [outputs.CallsTableName, outputs.AgentsTableName, outputs.QuarantineTableName];
  const rows = await Promise.all(tables.map((table) => allRows(dynamodb, table)));
  // What becomes of recordings is written meanwhile, by archiving.
  return rows.flat().filter(({ sk, kind }) => sk !== 'reconciliation' && kind !== 'recording');
};

/** Agents now; the figures of the past are tested with the readers, and here may be read. */
const expectAgents = async (ask: Ask): Promise<void> => {
  expect(await ask(answers.about, 'about'), 'What the page asks first').toStrictEqual({
    accounts: [{ account: account.userName, timeZone }],
    isSandbox: false,
    isPersonal: false,
  });
  const { asOf, agents } = await ask(answers.floor, 'floor');
  expect(agents, 'The floor').toStrictEqual([{ agentId: 'asha', name: hidden, state: 'pause' }]);
  expect(await ask(answers.feed, 'feed'), 'As of when it is so').toStrictEqual({ asOf });

  for (const path of ['history', `agent?id=asha&day=${day}`, 'health', `day?day=${day}`, `quarters?day=${day}`])
    await ask(z.unknown(), path);
};

/** The list of a day, and one of its calls. */
const expectCalls = async (ask: Ask, found: readonly string[]): Promise<void> => {
  const { calls } = await ask(answers.calls, `calls?day=${day}`);
  const posted = calls.filter((call) => !found.includes(call.callId));
  expect(posted, 'The calls of the day').toStrictEqual([
    { callId: listCallId, agentIds: ['asha', 'ravi'], agentNames: [hidden, hidden], customerNumber: hidden },
    { callId, agentIds: ['asha'], agentNames: [hidden], customerNumber: hidden },
  ]);
  const { call } = await ask(answers.call, `call?id=${callId}`);
  expect(call.facts, 'The call').toStrictEqual({ status: 'answered', dispositions: ['Sale'], customerNumber: hidden });
  expect(call.deliveries.length, 'The number of its deliveries').toStrictEqual(3);
};

/** What a reader may not read is not known, each part for a reason of its own. The rest of Health is. */
const expectOperations = async (ask: Ask, denied: (action: string) => string): Promise<void> => {
  const { cards } = await ask(answers.operations, 'operations');
  const cardOf = (title: string) => cards.find((card) => card.title === title);
  const unknown = (title: string, action: string) => ({ title, verdict: 'unknown', lines: [denied(action)] });
  const queues = ['Parked', 'Dead letters'];
  expect(['Quarantine', ...queues].map(cardOf), 'What is not known of the quarantine and the queues').toStrictEqual([
    unknown('Quarantine', 'dynamodb:Scan'),
    ...queues.map((title) => unknown(title, 'sqs:GetQueueAttributes')),
  ]);
  expect(cardOf('Reconciliation')?.lines.join(' '), 'The state of the reconciliation is known').toContain(
    'Compared with the call report',
  );
};
