import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Shown } from './handler.ts';

// Replaces the stack: a loop instead of rules and a queue, and a channel that prints.
const { SANDBOX: sandbox = 'http://127.0.0.1:3000' } = process.env;

process.once('SIGINT', () => process.exit());
const channel = createServer(async (request, response) => {
  const { events } = (await json(request)) as { readonly events: readonly string[] };
  for (const { freshness, agents } of events.map((text): Shown => JSON.parse(text)))
    console.log(
      `The page shows ${freshness}: ${agents.map(({ name, state }) => `${name} ${state}`).join(', ') || 'nobody'}.`,
    );
  response.end('{}');
});
await new Promise<void>((resolve) => channel.listen(0, '127.0.0.1', resolve));
process.env['EVENTS_ENDPOINT'] = `http://127.0.0.1:${(channel.address() as AddressInfo).port}/event`;
// Its client reads the variables when it is loaded.
const { handler } = await import('./handler.ts');
const { body } = await fetch(`${sandbox}/_sandbox/events?follow`);
if (body === null) throw new Error(`No sandbox answers at ${sandbox}.`);

console.log('Waiting for agents. Ctrl-C ends this.');
for await (const line of createInterface({ input: Readable.fromWeb(body) }))
  if (String(JSON.parse(line)['detail-type']).startsWith('Agent')) await handler();
