import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientsOf, type Deployment, namedClient } from '../../cli/frame/deployment.ts';
import { secretText } from '../../functions/adapters/secret-accounts.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import { localClient, tableNames } from '../../sandbox/frame/local-aws.ts';
import { type CliRun, cli } from './support/cli-run.ts';
import { account, forThisFile } from './support/local-deployment.ts';
import { callWithAllFields, startReadingDeployment } from './support/reading-deployment.ts';

/** The address of a server that answers so. */
const served = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
const answers = (status: number, type: string, message = '') =>
  served((_request, response) => response.writeHead(status).end(JSON.stringify({ __type: type, message })));

/** The ways in which a part fails: its address, and what a command then says of it. */
const faults = {
  hangs: { address: await served(() => undefined), says: '… did not answer in time' },
  refuses: { address: 'http://127.0.0.1:9', says: '… cannot be reached' },
  fails: { address: await answers(500, 'InternalFailure'), says: '… failed with InternalFailure' },
  throttles: { address: await answers(400, 'ThrottlingException'), says: '… failed with ThrottlingException' },
  'has been deleted': {
    address: await answers(400, 'ResourceNotFoundException'),
    says: 'The table or secret no longer exists: is this the right --stack\\?',
  },
  denies: {
    address: await answers(400, 'AccessDeniedException', 'User: arn:x is not authorized to perform: x:Y'),
    says: 'AWS denied access: x:Y is not allowed',
  },
} as const;
type Fault = keyof typeof faults;

const deployment = await forThisFile(startReadingDeployment());

type Part = 'DynamoDB' | 'EventBridge' | 'SQS' | 'Secrets Manager' | 'bus';

/** The deployment, with one part that fails. */
const without = async (part: Part, fault: Fault): Promise<Deployment> => {
  const location = localClient(faults[fault].address);
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
const emptyBus = await served((_request, response) => response.end());
const queue = JSON.stringify({ QueueUrl: 'http://127.0.0.1/queue', Attributes: { QueueArn: 'arn:queue' } });
const anyQueue = await served((_request, response) => response.end(queue));

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
  if (part !== 'bus') return new RegExp(faults[fault].says.replace('…', `\\b${part}`));
  return /hangs|refuses/.test(fault) ? /sandbox no longer answers/ : /bus answers .* status [45]00/;
};

/** Every run of this file begins at once: most wait for an answer that does not come. */
const runs = new Map<string, Promise<CliRun>>();
const run = (command: string, part: Part, fault: Fault): Promise<CliRun> => {
  const key = `${command} ${part} ${fault}`;
  const begun = runs.get(key) ?? answered(command, part, fault);
  runs.set(key, begun);
  return begun;
};

/** On a busy machine an answer may come too late: then the command runs again, unless it is the one that is not to come. */
const answered = async (command: string, part: Part, fault: Fault): Promise<CliRun> => {
  const done = await deployment.at(command.split(' '), { connect: () => without(part, fault) });
  // A bus that refuses is described as one that does not answer.
  const late = fault === 'refuses' ? /did not answer in time/ : /did not answer in time|sandbox no longer answers/;
  const said = done.output + done.notes;
  const isMeant = fault === 'hangs' && sentenceOf(part, fault).test(said);
  const isLate = !isMeant && late.test(said);
  return isLate ? answered(command, part, fault) : done;
};

/** Commands that tell of the rest of the deployment: how they end, and what they show beside what failed. */
const tells: readonly (readonly [command: string, part: Part, ends: 0 | 1, shows: readonly RegExp[]])[] = [
  ['status', 'SQS', 1, [/^demo +live/m, /^Quarantine +0 rejected/m, /^Parked +not known: /m]],
  ['status', 'DynamoDB', 1, [/^demo +not known/m, /^Parked +about 0/m]],
  ['status', 'Secrets Manager', 1, [/^demo +live/m]],
  [
    'status --json',
    'SQS',
    1,
    [/"freshness":"live".*"problems":\[{"part":"parked".*"part":"deadLetters"/, /^(?!.*"parked":)/],
  ],
  ['status --json', 'Secrets Manager', 1, [/"freshness":"live".*"problems":\[{"part":"accounts"/]],
  [`${verify} --no-report`, 'bus', 1, [/^demo +\S+ +\S+ +[1-9]\d* +[1-9]/m, /events could not be read\. The sandbox/]],
  [`${verify} --no-report`, 'SQS', 1, [/^demo +\S+ +\S+ +[1-9]\d* +[1-9]/m, /dead letters could not be read\. /]],
  [
    verify,
    'DynamoDB',
    1,
    [/Not proven: the calls of demo could not be read\. /, /the call report of demo was not read: /],
  ],
  // The table of agents names the accounts where the secret does not.
  ['agents', 'Secrets Manager', 0, [/^asha +ready/m]],
  ['calls --day 2026-11-21', 'Secrets Manager', 0, [/ 700000000000000001 /]],
  ['timeline asha --day 2026-11-21', 'Secrets Manager', 0, [/^in a call +7h/m]],
  // The bus of these tests has no events.
  [`verify ${range} --no-report`, 'Secrets Manager', 1, [/^demo +/m]],
  [`replay ${range} --dry-run`, 'Secrets Manager', 0, [/would be replayed/]],
];
const allFaults = Object.keys(faults) as readonly Fault[];
beforeAll(() => {
  for (const fault of allFaults) for (const [command, part] of [...needs, ...tells]) void run(command, part, fault);
});

describe.each(allFaults)('where a part %s', (fault) => {
  it.each(needs)('callfeed %s names %s, and ends with 1', async (command, part) => {
    const { code, output, notes } = await run(command, part, fault);

    expect(notes).toMatch(sentenceOf(part, fault));
    expect([code, output]).toEqual([1, '']);
  });

  const isQuiet = ([, part]: (typeof tells)[number]) => fault === 'denies' && part === 'Secrets Manager';
  it.each(tells.filter((row) => !isQuiet(row)))(
    'callfeed %s names %s, ends with %i, and tells the rest',
    async (command, part, ends, shows) => {
      const { code, output, notes } = await run(command, part, fault);

      const said = (output + notes).match(new RegExp(sentenceOf(part, fault), 'g')) ?? [];
      if (part === 'Secrets Manager' && !command.includes('--json')) expect(said).toHaveLength(1);
      else expect(said).not.toEqual([]);
      for (const shown of shows) expect(output).toMatch(shown);
      expect(code).toBe(ends);
    },
  );
});

it('who may not read the secret needs no word of it where the table has the names', async () => {
  for (const [command, part, ends] of tells.filter((row) => row[1] === 'Secrets Manager')) {
    const { code, output, notes } = await run(command, part, 'denies');
    const endsWith = command.startsWith('status') ? 0 : ends;

    expect([command, code, output === '', output + notes]).toEqual([
      command,
      endsWith,
      false,
      expect.not.stringMatching(/denied|"problems"/),
    ]);
  }
});

/** It begins to answer, as a sandbox whose machine stands still meanwhile. */
const half = await served((_request, response) => response.writeHead(200).write('{'));
const slow = /^Something listens at \S+, and has not answered within 8 seconds\. A sandbox does so while it starts/;
const absent = /^No sandbox answers at \S+\. Start one with: npm start$/m;
const endpoints = [
  ['listens and never answers', faults.hangs.address, slow],
  ['stops in the middle of its answer', half, slow],
  ['closes the connection', await served((request) => request.socket.destroy()), absent],
  ['is not there', 'http://127.0.0.1:9', absent],
  ['is not there, by IPv6', 'http://[::1]:9', absent],
] as const;
/** On a busy machine a refusal may come too late: then the command runs again. */
const askAt = async (endpoint: string, says: RegExp): Promise<CliRun> => {
  const done = await cli(['agents', '--endpoint', endpoint]);
  return says !== slow && slow.test(done.notes) ? askAt(endpoint, says) : done;
};
const answeredAt = new Map(endpoints.map(([, endpoint, says]) => [endpoint, askAt(endpoint, says)]));

describe('a command at a sandbox', () => {
  it.each(endpoints)('that %s says which it is', async (_what, endpoint, says) => {
    expect(await answeredAt.get(endpoint)).toMatchObject({ code: 1, notes: expect.stringMatching(says) });
  });
});

describe('a command that waits for a part that hangs', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('obeys %s', async (signal) => {
    const hangs = faults.hangs.address;
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const part = await served(asked);
    const queue = `${hangs}/000000000000/queue`;
    const state = {
      addresses: {
        dynamodb: part,
        sqs: hangs,
        parkingQueue: queue,
        deadLettersQueue: queue,
        reconciliationQueue: queue,
        forwardingQueue: queue,
        forwardingDeadLettersQueue: queue,
        s3: hangs,
        recordingsQueue: queue,
        recordingsDeadLettersQueue: queue,
        secretsmanager: part,
        events: hangs,
      },
      accountsSecret: 'secret',
      tables: Object.values(tableNames),
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
