import { expect, it } from 'vitest';
import { maxLoginsBytes } from '../../../lib/agents/get-agent-logins.ts';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import { startHttpServer } from '../../support/local-servers.ts';
import { deployedFunction } from '../../support/run-here.ts';

it.each([
  ['accepts an answer of the most bytes', maxLoginsBytes, false],
  ['reads no larger answer, which could exceed its memory', maxLoginsBytes + 1, true],
])('the deployed poller %s', async (_title, bytes, isTooLarge) => {
  const { url } = await startHttpServer((_request, response) => {
    response.end(JSON.stringify({ status: 'success', message: [] }).padEnd(bytes));
  });
  const accounts = JSON.stringify([{ ...demoAccount, baseUrl: url, token: { kind: 'none' } }]);
  const written: string[] = [];
  const aws = (_operation: string, input: object) => {
    written.push(JSON.stringify(input));
    return {};
  };
  const { invoke } = await deployedFunction('poll-agents', aws, { CALLFEED_ACCOUNTS: accounts });
  await invoke({ Records: [{ attributes: { SentTimestamp: String(Date.now()) } }] });

  expect(written.some((input) => input.includes('"too-large"'))).toBe(isTooLarge);
  expect(written.some((input) => input.includes('"asOf"'))).toBe(!isTooLarge);
});
