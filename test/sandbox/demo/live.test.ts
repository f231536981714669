import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { createCalendar } from '../../../sandbox/demo/calendar.ts';
import { startLive } from '../../../sandbox/demo/live.ts';
import { createClosers, pause } from '../../../sandbox/frame/lifecycle.ts';
import { startHttpServer } from '../../support/local-servers.ts';
import { until } from '../../support/process-tree.ts';

const account: Account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Europe/Paris', token: { kind: 'none' } };
const calendar = createCalendar({ seed: 1, startedOn: '2026-11-25', account });
const minute = 60_000;
/** From ten to half past ten on a Wednesday. */
const begin = calendar.dayOf('2026-11-25').from + 600 * minute;
const end = begin + 30 * minute;

it('a demonstration goes on: its agents and calls come when they are due, each call once', async () => {
  const posted: string[] = [];
  const gateway = await startHttpServer(async (request, response) => {
    const body = await text(request);
    // Before its first post the service asks whether the address is there.
    if (request.method === 'POST') posted.push(body);
    response.end();
  });
  const shown: { readonly at: number; readonly steps: readonly { readonly action: string }[] }[] = [];
  const dueAt: number[] = [];
  let now = begin;
  const closers = createClosers();
  startLive(
    {
      calendar,
      after: begin,
      callbackUrl: gateway.url,
      script: (steps) => shown.push({ at: now, steps: JSON.parse(steps) }),
      log: () => undefined,
      onPost: (at) => dueAt.push(at),
      clock: {
        now: () => now,
        async sleep(_milliseconds, stopped) {
          // Time passes in half minutes, and then stands still until the test has seen what came.
          if (now >= end) return await pause(minute, stopped);
          now += minute / 2;
        },
      },
    },
    closers,
  );
  const planned = calendar.postsBetween(begin, end);
  await until(
    'each call is posted',
    () => ({ now, posted: posted.length }),
    (found) => found.now >= end && found.posted >= planned.length,
  );
  await closers.closeAll();

  expect(planned.length).toBeGreaterThan(10);
  expect(dueAt).toEqual(planned.map(({ at }) => at));
  expect(posted).toHaveLength(planned.length);
  for (const { callId } of planned) expect(posted.join('\n')).toContain(callId);
  const [first, ...later] = shown;
  expect(first?.at).toBe(begin);
  expect(first?.steps.map(({ action }) => action)).toEqual(calendar.loggedIn(begin).map(() => 'log-in'));
  expect(later.flatMap(({ steps }) => steps.filter(({ action }) => action === 'set-state')).length).toBeGreaterThan(10);
});
