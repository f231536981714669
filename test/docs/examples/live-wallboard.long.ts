import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Browser, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../../sandbox/frame/listen.ts';
import { problemsOf, startBrowser } from '../../cli/console/browser.ts';
import { startHttpServer } from '../../support/local-servers.ts';
import { compile } from '../../support/packed-package.ts';
import { type AgentsSandbox, startAgentsSandbox } from '../../support/polled-centre.ts';
import { logIn, setState, startScript } from '../../support/sandbox.ts';
import { matches } from '../contract/support/event-bridge.ts';
import { type SynthesisedExample, sandboxEnvironment, synthesisedExample } from './support/example-project.ts';

const soon = { timeout: 60_000, interval: 50 };
const context = { stage: 'prod', account: 'demo', logInPrefix: 'acme-wallboard' };
let example: SynthesisedExample;
let sandbox: AgentsSandbox;

beforeAll(async () => {
  example = await synthesisedExample('live-wallboard', 'live-wallboard', { context });
  // The handler has a clock of its own. By that, what is polled in the sandbox stays new for ten minutes.
  sandbox = await startAgentsSandbox({}, `${new Date(Date.now() + 600_000).toISOString().slice(0, 19)}.000Z`);
});
afterAll(() => sandbox?.stop());

describe('the stack', () => {
  const only = (type: string) => example.ofType(type)[0] ?? {};

  it('compiles', async () => {
    expect(await compile(example.project)).toEqual({ code: 0, output: '', errors: '' });
  });

  it('lets nobody sign up, and nobody connect or subscribe without a token of the pool', () => {
    expect(only('AWS::Cognito::UserPool')['AdminCreateUserConfig']).toEqual({ AllowAdminCreateUserOnly: true });
    expect(only('AWS::Cognito::UserPoolClient')).toMatchObject({
      AllowedOAuthFlows: ['code'],
      CallbackURLs: ['http://localhost:8080/'],
    });
    const [pool, role] = ['AMAZON_COGNITO_USER_POOLS', 'AWS_IAM'].map((AuthType) => [{ AuthType }]);
    expect(only('AWS::AppSync::Api')['EventConfig']).toMatchObject({
      ConnectionAuthModes: pool,
      DefaultSubscribeAuthModes: pool,
      DefaultPublishAuthModes: role,
    });
    expect(example.ofType('AWS::AppSync::ApiKey')).toEqual([]);
  });

  it('lets one function publish, whenever agents of the account or their feed change, and every minute', () => {
    const statements = example.ofType('AWS::IAM::Policy').flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(statements.filter(({ Action }) => JSON.stringify(Action).includes('appsync:'))).toMatchObject([
      { Action: 'appsync:EventPublish', Effect: 'Allow' },
    ]);
    const rules = example.ofType('AWS::Events::Rule');
    expect(rules.filter(({ ScheduleExpression }) => ScheduleExpression === 'rate(1 minute)')).toHaveLength(1);
    const matching = (type: string, account: string) =>
      rules.filter(
        ({ EventPattern }) =>
          EventPattern && matches(EventPattern, { source: 'callfeed', 'detail-type': type, detail: { account } }),
      ).length;
    for (const type of ['Agent Logged In', 'Agent State Changed', 'Agent Details Changed', 'Agent Logged Out'])
      expect([type, matching(type, 'demo'), matching(type, 'other')]).toEqual([type, 1, 0]);
    for (const type of ['Agent Feed Interrupted', 'Agent Feed Restored', 'Call Summary Recorded'])
      expect([type, matching(type, 'demo')]).toEqual([type, type.startsWith('Agent') ? 1 : 0]);
  });
});

/** Stands in for the channel of AppSync Events: answers with a status, and keeps what it gets. */
const startChannel = async (statusOf: () => number = () => 200) => {
  const published: { readonly headers: IncomingHttpHeaders; readonly channel: string; readonly events: string[] }[] =
    [];
  const { url } = await startHttpServer(async (request, response) => {
    published.push({ headers: request.headers, ...Object(await json(request)) });
    response.writeHead(statusOf()).end('{}');
  });
  return { published, endpoint: `${url}/event` };
};

const variables = (changes: Readonly<Record<string, string>>) =>
  sandboxEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: sandbox.addresses.dynamodb, ...changes });

describe('the handler', () => {
  it('publishes all agents in one signed request, and says when they are stale', async () => {
    const { published, endpoint } = await startChannel();
    const shown = async (changes: Readonly<Record<string, string>> = {}) => {
      await example.invoke({ Records: [{}, {}] }, variables({ EVENTS_ENDPOINT: endpoint, ...changes }));
      const { channel, events = [], headers } = published.at(-1) ?? {};
      expect([channel, events.length]).toEqual(['/floor/now', 1]);
      expect(headers?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=any\/\d{8}\/local\/appsync\/aws4_request, /);
      return JSON.parse(events[0] ?? '');
    };
    expect(await shown()).toMatchObject({ freshness: 'none', agents: [] });

    await sandbox.script({ ...logIn('asha'), name: 'Asha <b>Rao', skills: ['Sales'] }, logIn('ravi', 'PAUSE'));
    const asOf = await sandbox.poll();
    const since = expect.stringContaining('T');
    const [asha, ravi] = [
      { name: 'Asha <b>Rao', state: 'ready', since, skills: ['Sales'] },
      { name: expect.any(String), state: 'pause', since, skills: expect.any(Array) },
    ];
    expect(await shown()).toEqual({ readAt: since, freshness: 'live', asOf, agents: [asha, ravi] });

    const feed = await sandbox.dynamodb.send(
      new GetItemCommand({ TableName: 'callfeed-agents', Key: { pk: { S: 'demo' }, sk: { S: 'feed' } } }),
    );
    const old = { asOf: { S: '2020-11-21T10:00:00.000Z' }, staleAt: { S: '2020-11-21T10:00:30.000Z' } };
    const Item = { ...feed.Item, ...old, pk: { S: 'old' } };
    await sandbox.dynamodb.send(new PutItemCommand({ TableName: 'callfeed-agents', Item }));
    expect(await shown({ ACCOUNT: 'old' })).toMatchObject({ freshness: 'stale', asOf: '2020-11-21T10:00:00.000Z' });
  });

  it('fails where the channel refuses, so that the queue tries again', async () => {
    const { endpoint } = await startChannel(() => 401);
    const { errors } = await example.invoke({ Records: [{}] }, variables({ EVENTS_ENDPOINT: endpoint }));

    expect(errors).toContain('The channel answered 401.');
  });

  it('is shown in the sandbox, until Ctrl-C', async () => {
    const script = startScript(
      join(example.project, 'try-in-sandbox.ts'),
      [],
      variables({ SANDBOX: sandbox.addresses.gateway }),
    );
    await expect.poll(script.output, soon).toContain('Waiting for agents');
    await sandbox.script(setState('asha', 'INCALL'));
    await sandbox.poll(60);
    await expect.poll(script.output, soon).toMatch(/The page shows live: .*Asha <b>Rao in-call/);
    script.child.kill('SIGINT');

    expect([await script.ended, script.errors()]).toEqual([0, '']);
  });
});

describe('the page', () => {
  const settings = {
    LogIn: 'https://log-in.example',
    ClientId: 'the-client',
    HttpHost: 'http.example',
    RealtimeHost: 'realtime.example',
  };
  let browser: Browser;
  let address: string;
  let server: ReturnType<typeof startScript>;

  beforeAll(async () => {
    writeFileSync(join(example.project, 'outputs.json'), JSON.stringify({ 'live-wallboard': settings }));
    const port = await freePort({ number: 0, flag: 'The page' });
    server = startScript(join(example.project, 'serve-page.ts'), [], { PORT: String(port) });
    await vi.waitFor(() => expect(server.output()).toContain('Open http://localhost'), soon);
    address = `http://127.0.0.1:${port}/`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.child.kill('SIGINT');
    await server?.ended;
  });

  /** Opens the page, with stand-ins for Cognito and for AppSync Events that behave as AWS documents it. */
  const open = async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const problems = problemsOf(page);
    const grants: Readonly<Record<string, string>>[] = [];
    const subscriptions: unknown[] = [];
    const sockets: WebSocketRoute[] = [];
    let challenge = '';
    let isOver = false;
    await page.clock.install();
    await page.route('https://log-in.example/oauth2/authorize?*', (route) => {
      const query = new URL(route.request().url()).searchParams;
      expect(Object.fromEntries(query)).toMatchObject({
        ...{ response_type: 'code', client_id: 'the-client', redirect_uri: address, code_challenge_method: 'S256' },
      });
      challenge = query.get('code_challenge') ?? '';
      const back = isOver ? {} : { headers: { location: `${address}?code=the-code&state=${query.get('state')}` } };
      return route.fulfill({ status: isOver ? 200 : 302, body: 'Log in', ...back });
    });
    await page.route('https://log-in.example/oauth2/token', (route) => {
      grants.push(Object.fromEntries(new URLSearchParams(route.request().postData() ?? '')));
      const headers = { 'access-control-allow-origin': new URL(address).origin };
      const tokens = { id_token: `token-${grants.length}`, refresh_token: 'refresh' };
      return route.fulfill({ status: isOver ? 400 : 200, headers, json: isOver ? {} : tokens });
    });
    await page.routeWebSocket('wss://realtime.example/event/realtime', (socket) => {
      sockets.push(socket);
      socket.onMessage((text) => {
        const { type, id, ...rest } = JSON.parse(String(text));
        if (type === 'connection_init')
          socket.send(JSON.stringify({ type: 'connection_ack', connectionTimeoutMs: 300_000 }));
        if (type !== 'subscribe') return;
        subscriptions.push(rest);
        socket.send(JSON.stringify({ type: 'subscribe_success', id }));
      });
    });
    await page.goto(address);
    await expect.poll(() => subscriptions.length, soon).toBe(1);
    const now = async () => new Date(await page.evaluate(() => Date.now()));
    const publish = async (changes: object, secondsAgo = 0) => {
      const readAt = new Date((await now()).getTime() - secondsAgo * 1000).toISOString();
      const agent = { name: 'Asha <b>Rao', state: 'ready', since: readAt, skills: [] };
      const event = JSON.stringify({ readAt, freshness: 'live', asOf: readAt, agents: [agent], ...changes });
      sockets.at(-1)?.send(JSON.stringify({ type: 'data', id: 'any', event: [event] }));
    };
    return {
      ...{ page, problems, grants, subscriptions, publish },
      challenge: () => challenge,
      disconnect: () => sockets.at(-1)?.close(),
      endLogIn: () => {
        isOver = true;
      },
    };
  };

  it('logs in with a code that nobody else can use, and subscribes with its token', async () => {
    const { page, grants, subscriptions, challenge, problems } = await open();
    const verifier = grants[0]?.['code_verifier'] ?? '';

    expect(grants).toEqual([
      {
        ...{ client_id: 'the-client', grant_type: 'authorization_code', code: 'the-code', redirect_uri: address },
        code_verifier: verifier,
      },
    ]);
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge());
    const authorization = { host: 'http.example', Authorization: 'token-1' };
    expect(subscriptions).toEqual([{ channel: '/floor/now', authorization }]);
    // No code and no token is left where another script or person could find it.
    expect([page.url(), await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))]).toEqual([
      address,
      '[{},{}]',
    ]);
    expect(problems).toEqual([]);
  });

  it('shows the agents of the latest reading, and STALE when polls fail or nothing comes', async () => {
    const { page, publish, problems } = await open();
    const age = page.getByRole('status');
    await publish({});
    await page.getByText('Asha <b>Rao').waitFor();
    await expect.poll(() => age.innerText(), soon).toMatch(/^Live: seen \d s ago\.$/);
    await publish({ agents: [] }, 60);
    expect(await page.locator('main').innerText()).toContain('ready 1');

    await publish({ freshness: 'stale' });
    await expect.poll(() => age.innerText(), soon).toMatch(/^STALE: seen \d s ago\.$/);
    await publish({});
    await expect.poll(() => age.innerText(), soon).toMatch(/^Live/);
    await page.clock.fastForward(160_000);
    await expect.poll(() => age.innerText(), soon).toMatch(/^STALE: seen 2 min ago\.$/);
    expect(problems).toEqual([]);
  });

  it('connects again with a new token, and logs in anew when that is over', async () => {
    const { page, grants, subscriptions, disconnect, endLogIn } = await open();
    disconnect();
    const passTime = async () => {
      await page.clock.fastForward(10_000);
      return subscriptions.length;
    };
    await expect.poll(passTime, soon).toBe(2);
    expect(grants.at(-1)).toEqual({ client_id: 'the-client', grant_type: 'refresh_token', refresh_token: 'refresh' });
    expect(subscriptions.at(-1)).toMatchObject({ authorization: { Authorization: 'token-2' } });

    endLogIn();
    disconnect();
    await expect.poll(() => page.clock.fastForward(10_000).then(() => page.url()), soon).toMatch(/^https:\/\/log-in/);
  });
});
