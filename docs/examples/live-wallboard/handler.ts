import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import { createCallfeedClient, type Floor } from 'callfeed/client';

const { CALLS_TABLE = '', AGENTS_TABLE = '', ACCOUNT = '', EVENTS_ENDPOINT = '' } = process.env;
const dynamodb = new DynamoDBClient();
const tables = { calls: CALLS_TABLE, agents: AGENTS_TABLE };
const callfeed = createCallfeedClient({ dynamodb, tables, account: ACCOUNT });

/** What the page gets: all agents, so that it needs nothing else, and no history. */
export interface Shown {
  /** A page ignores what was read before what it shows: two runs may overtake each other. */
  readonly readAt: string;
  readonly freshness: Floor['freshness'];
  readonly asOf?: string;
  readonly agents: readonly ShownAgent[];
}

interface ShownAgent {
  readonly name: string;
  readonly state: string;
  readonly since: string;
  readonly skills: readonly string[];
}

const shown = (floor: Floor, readAt: string): Shown => {
  if (floor.freshness === 'none') return { readAt, freshness: 'none', agents: [] };
  const agents = floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents;
  return {
    readAt,
    freshness: floor.freshness,
    asOf: floor.asOf,
    agents: agents.map(({ agentId, name = agentId, state, since, skills = [] }) => ({ name, state, since, skills })),
  };
};

/** Publishes one event on a channel of AppSync Events, signed as the SDK's clients sign. Throws unless it was accepted. */
const publish = async (endpoint: string, channel: string, event: unknown): Promise<void> => {
  const { host, pathname } = new URL(endpoint);
  const body = JSON.stringify({ channel, events: [JSON.stringify(event)] });
  const { credentials, region, sha256 } = dynamodb.config;
  const { headers } = await new SignatureV4({ credentials, region, sha256, service: 'appsync' }).sign({
    method: 'POST',
    protocol: 'https:',
    hostname: host,
    path: pathname,
    headers: { host, 'content-type': 'application/json' },
    body,
  });
  const { ok, status } = await fetch(endpoint, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) });
  if (!ok) throw new Error(`The channel answered ${status}.`);
};

/** Something has changed, or a minute has passed: reads the agents as they are now, and publishes them. */
export const handler = async (): Promise<void> => {
  const readAt = new Date().toISOString();
  await publish(EVENTS_ENDPOINT, '/floor/now', shown(await callfeed.floor(), readAt));
};
