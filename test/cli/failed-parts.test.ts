import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientsOf, type Deployment, namedClient } from '../../cli/connection/deployment.ts';
import { secretText } from '../../functions/adapters/secret-accounts.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import { localClient, tableNames } from '../../sandbox/local-aws.ts';
import { type CliRun, jsonLines } from './support/cli-run.ts';
import { account } from './support/local-deployment.ts';
import { callWithAllFields, startReadingDeployment } from './support/reading-deployment.ts';

const servers: { readonly closeAllConnections: () => void; readonly close: () => void }[] = [];

/** The address of a server that answers so. */
const served = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** The ways in which a part fails, and what a command then says of it. */
const faults = {
  hangs: { start: () => served(() => undefined), says: 'did not answer in time' },
  refuses: { start: async () => 'http://127.0.0.1:9', says: 'cannot be reached' },
  fails: {
    start: () => served((_request, response) => response.writeHead(500).end('{"__type":"InternalFailure"}')),
    says: 'failed with InternalFailure',
  },
};
type Fault = keyof typeof faults;
const addresses: Partial<Record<Fault, string>> = {};

let deployment: Awaited<ReturnType<typeof startReadingDeployment>>;
beforeAll(async () => {
  deployment = await startReadingDeployment();
  for (const [fault, { start }] of Object.entries(faults)) addresses[fault as Fault] = await start();
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await deployment.stop();
});

type Part = 'DynamoDB' | 'EventBridge' | 'SQS' | 'Secrets Manager' | 'bus';

/** The deployment, with one part that fails. */
const without = async (part: Part, fault: Fault): Promise<Deployment> => {
  const location = localClient(addresses[fault] ?? '');
  const { dynamodb, sqs } = clientsOf(location);
  const connected = await deployment.connect();
  const readSecret = secretText(namedClient('Secrets Manager', SecretsManagerClient, location), 'secret', 20_000);
  const reconciled = accountIndex([{ ...account, baseUrl: 'https://service.invalid' }]);
  return {
    ...connected,
    queues: { ...connected.queues, reconciliation: connected.queues.parking },
    accounts: async () => {
      if (part === 'Secrets Manager') await readSecret();
      return reconciled;
    },
    // Nothing is published there, and its list of events is empty.
    bus: { kind: 'sandbox', eventsAddress: part === 'bus' ? location.endpoint : emptyBus },
    ...(part === 'DynamoDB' && { dynamodb }),
    ...(part === 'SQS' && { sqs }),
    ...(part === 'EventBridge' && {
      bus: { kind: 'event-bridge', name: 'bus', client: namedClient('EventBridge', EventBridgeClient, location) },
      sqs: clientsOf(localClient(anyQueue)).sqs,
    }),
  };
};
let [emptyBus, anyQueue] = ['', ''];
beforeAll(async () => {
  emptyBus = await served((_request, response) => response.end());
  const queue = JSON.stringify({ QueueUrl: 'http://127.0.0.1/queue', Attributes: { QueueArn: 'arn:queue' } });
  anyQueue = await served((_request, response) => response.end(queue));
});

const day = '--day 2026-11-21 --time-zone Asia/Kolkata';
const range = '--from 2026-11-20T00:00:00Z --to 2026-11-22T09:00:00Z';
const verify = `verify ${range} --account demo`;

/** Each command with a part that it cannot do without. */
const needs: readonly (readonly [command: string, part: Part])[] = [
  ...[
    'agents --account demo',
    'floor --account demo --at 2026-11-22T08:00:00Z',
    `timeline asha ${day} --account demo`,
    `calls ${day} --account demo`,
    `call ${callWithAllFields} --account demo`,
    'day --date 2026-11-21 --time-zone Asia/Kolkata --account demo',
    'unknown --account demo',
    'quarantine list',
    'quarantine show 0',
    'quarantine redrive --all',
    'reconcile --account demo',
    `renormalise ${range} --account demo --dry-run`,
    `replay ${range} --account demo --dry-run`,
    'erase --customer 9876512345 --account demo --dry-run',
    'quarantine dismiss 0 --because test',
  ].map((command) => [command, 'DynamoDB'] as const),
  // These look for keys, or write by the rules of an account.
  ['quarantine redrive --all', 'Secrets Manager'],
  [`renormalise ${range} --account demo --dry-run`, 'Secrets Manager'],
  ['dead-letters list parked', 'SQS'],
  ['dead-letters redrive parked', 'SQS'],
  ['reconcile --account demo', 'SQS'],
  ['events', 'bus'],
  ['events --follow', 'EventBridge'],
];

/** What the sandbox's bus does is told in other words: a sandbox has one server. */
const sentenceOf = (part: Part, fault: Fault): RegExp => {
  if (part !== 'bus') return new RegExp(`\\b${part} ${faults[fault].says}`);
  return fault === 'fails' ? /bus answers .* status 500/ : /sandbox no longer answers/;
};

/** Every run of this file begins at once: most wait for an answer that does not come. */
const runs = new Map<string, Promise<CliRun>>();
const run = (command: string, part: Part, fault: Fault): Promise<CliRun> => {
  const key = `${command} ${part} ${fault}`;
  const begun = runs.get(key) ?? answered(command, part, fault);
  runs.set(key, begun);
  return begun;
};

/** On a busy machine an answer may come too late: then the command runs again, unless none is to come. */
const answered = async (command: string, part: Part, fault: Fault): Promise<CliRun> => {
  const done = await deployment.at(command.split(' '), { connect: () => without(part, fault) });
  const isLate = fault !== 'hangs' && (done.output + done.notes).includes(faults.hangs.says);
  return isLate ? answered(command, part, fault) : done;
};

/** Commands for which the table of agents names the accounts where the secret does not, and how they end. */
const namesFromTheTable = [
  ['agents', 0],
  ['calls --day 2026-11-21', 0],
  ['timeline asha --day 2026-11-21', 0],
  // The bus of these tests has no events.
  [`verify ${range} --no-report`, 1],
  [`replay ${range} --dry-run`, 0],
] as const;

/** Commands that tell of the rest of the deployment. */
const tells: readonly (readonly [command: string, part: Part])[] = [
  ...(['SQS', 'DynamoDB', 'Secrets Manager'] as const).map((part) => ['status', part] as const),
  ...(['SQS', 'Secrets Manager'] as const).map((part) => ['status --json', part] as const),
  ...(['SQS', 'bus'] as const).map((part) => [`${verify} --no-report`, part] as const),
  [verify, 'DynamoDB'],
  ...namesFromTheTable.map(([command]) => [command, 'Secrets Manager'] as const),
];
beforeAll(() => {
  for (const fault of Object.keys(faults) as Fault[])
    for (const [command, part] of [...needs, ...tells]) void run(command, part, fault);
});

describe.each(Object.keys(faults) as readonly Fault[])('where a part %s', (fault) => {
  it.each(needs)('callfeed %s names %s, and ends with 1', async (command, part) => {
    const { code, output, notes } = await run(command, part, fault);

    expect(notes).toMatch(sentenceOf(part, fault));
    expect([code, output]).toEqual([1, '']);
  });

  it('callfeed status names SQS, and tells the rest', async () => {
    const { code, output, notes } = await run('status', 'SQS', fault);
    const json = await run('status --json', 'SQS', fault);

    expect(notes).toMatch(sentenceOf('SQS', fault));
    expect(output).toMatch(/^demo +live/m);
    expect(output).toMatch(/^Quarantine +0 rejected/m);
    expect(output).toMatch(/^Parked +not known: SQS/m);
    expect([code, json.code]).toEqual([1, 1]);
    const [status] = jsonLines(json);
    expect(status).toMatchObject({
      accounts: [{ freshness: 'live' }],
      problems: [{ part: 'parked' }, { part: 'deadLetters' }],
    });
    expect(status).not.toHaveProperty('parked');
  });

  it('the accounts’ names come from the table without Secrets Manager, and callfeed status says so', async () => {
    const status = await run('status', 'Secrets Manager', fault);
    const [json] = jsonLines(await run('status --json', 'Secrets Manager', fault));

    expect(status.notes).toMatch(sentenceOf('Secrets Manager', fault));
    expect(status.output).toMatch(/^demo +live/m);
    expect(status.code).toBe(1);
    expect(json).toMatchObject({ accounts: [{ freshness: 'live' }], problems: [{ part: 'accounts' }] });
    for (const [command, ends] of namesFromTheTable) {
      const { code, output, notes } = await run(command, 'Secrets Manager', fault);
      expect([command, code, output.length > 0]).toEqual([command, ends, true]);
      expect(notes.match(new RegExp(sentenceOf('Secrets Manager', fault), 'g')), command).toHaveLength(1);
    }
  });

  it('callfeed status names DynamoDB, and tells of the queues', async () => {
    const { code, output, notes } = await run('status', 'DynamoDB', fault);

    expect(notes).toMatch(sentenceOf('DynamoDB', fault));
    expect(output).toMatch(/^demo +not known/m);
    expect(output).toMatch(/^Parked +about 0/m);
    expect(code).toBe(1);
  });

  it('callfeed verify names the bus, or SQS, and proves what the rest tells', async () => {
    for (const part of ['bus', 'SQS'] as const) {
      const { code, output } = await run(`${verify} --no-report`, part, fault);

      expect(output).toMatch(/^demo +\S+ +\S+ +[1-9]\d* +[1-9]/m);
      expect(output).toMatch(
        part === 'SQS' ? /dead letters could not be read\. SQS/ : /events could not be read\. The sandbox/,
      );
      expect(code).toBe(1);
    }
  });

  it('callfeed verify names DynamoDB, and says that nothing is proven', async () => {
    const { code, output } = await run(verify, 'DynamoDB', fault);

    expect(output).toMatch(/Not proven: the calls of demo could not be read\. DynamoDB/);
    expect(output).toMatch(/the call report of demo was not read: DynamoDB/);
    expect(code).toBe(1);
  });
});

describe('a command that waits for a part that hangs', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('obeys %s', async (signal) => {
    const hangs = addresses.hangs ?? '';
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const part = await served(asked);
    const queue = `${hangs}/000000000000/queue`;
    const state = {
      addresses: {
        ...{ dynamodb: part, sqs: hangs, parkingQueue: queue, deadLettersQueue: queue, reconciliationQueue: queue },
        ...{ forwardingQueue: queue, forwardingDeadLettersQueue: queue },
        ...{ s3: hangs, recordingsQueue: queue, recordingsDeadLettersQueue: queue },
        ...{ provider: hangs, events: hangs, gateway: hangs, callbacks: hangs },
      },
      tables: Object.values(tableNames),
      ...{ timeZones: { demo: 'UTC' }, words: {}, forwardTo: {}, keyFingerprints: {} },
    };
    const endpoint = await served((_request, response) => response.end(JSON.stringify(state)));
    const command = spawn(process.execPath, ['cli/main.ts', 'verify', '--since', '1h', '--endpoint', endpoint], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(command, 'exit');
    await isAsked;
    command.kill(signal);

    expect(await text(command.stderr)).toContain('a part of the deployment did not answer');
    expect(await ended).toEqual([signal === 'SIGINT' ? 130 : 143, null]);
  });
});
