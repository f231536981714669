import { describe, expect, it } from 'vitest';
import { sentinelKey } from '../../fixtures/accounts.ts';
import { sentinelToken, specificationLogins, tokenAccount } from '../../fixtures/agents.ts';
import { pollRun } from '../support/poll-run.ts';
import { errorText, noReply, type Reply, reply, success, tokenReply } from '../support/scripted-service.ts';

const floor = success(specificationLogins);
const echo = `apiKey ${sentinelKey} with token ${sentinelToken} is Invalid`;

const courses: readonly (readonly [string, readonly Reply[], readonly Reply[]])[] = [
  ['polls that succeed', [tokenReply(sentinelToken)], [floor]],
  ['an error that repeats what was sent', [tokenReply(sentinelToken)], [floor, errorText(echo), floor]],
  ['a refusal that repeats what was sent', [tokenReply(sentinelToken)], [floor, reply({ message: echo }, 401), floor]],
  [
    'an answer that is no JSON and repeats what was sent',
    [tokenReply(sentinelToken)],
    [floor, reply(echo), reply(`<p>${echo}`)],
  ],
  ['an exchange of tokens that repeats what was sent', [errorText(echo)], [floor]],
  ['a token that cannot be used', [tokenReply(`${sentinelToken} ${sentinelKey}`)], [floor]],
  ['no connection', [tokenReply(sentinelToken)], [floor, noReply('connection')]],
];

describe('key and token', () => {
  it.each(courses)(
    'are in no row, event or metric, and in no fault that is told: %s',
    async (_title, token, logins) => {
      const { poll, advance, table, events, telemetry, service } = pollRun({ account: tokenAccount, token, logins });
      for (let slot = 0; slot < 40; slot++) {
        await poll();
        advance(15_000 * (slot % 10 === 9 ? 40 : 1));
      }
      const told = JSON.stringify([
        table.all(),
        table.changes(),
        events(),
        telemetry.counts,
        telemetry.faults.map(String),
      ]);

      expect(JSON.stringify(service.requests)).toContain(sentinelKey);
      expect(told).not.toContain('SENTINEL');
      for (const secret of [sentinelKey, sentinelToken])
        expect(told).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
    },
  );
});
