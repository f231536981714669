import { expect, it } from 'vitest';
import { longestChain } from '../../../sandbox/queue/queue-reader.ts';
import { deployment, reportOf } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';

const daysRead = 15;
const callsPerDay = 3_000;

const firstDay = Date.parse('2026-11-06T00:00:00Z');
const dayAt = (index: number): string => new Date(firstDay + index * 86_400_000).toISOString().slice(0, 10);

const callsOf = (day: number) =>
  Array.from({ length: callsPerDay }, (_, index) => ({
    CallID: `4178${day}${String(index).padStart(6, '0')}`,
    CallDate: dayAt(day),
    StartTime: '09:00:00',
    EndTime: '09:05:00',
    Status: 'Answered',
    CallerID: '9876543210',
    AgentID: 'asha',
  }));

it('a first run stores fifteen days of 3,000 calls, though Lambda ends chains of messages after 16 runs', async () => {
  const report = reportOf(Object.fromEntries(Array.from({ length: daysRead }, (_, day) => [dayAt(day), callsOf(day)])));
  const d = await deployment({
    accounts: [kolkataAccount],
    startedAt: '2026-11-20T06:00:00.000Z',
    service: { report: [report] },
  });

  expect(await d.reconcile()).toBeGreaterThan(5 * longestChain);

  expect((await d.rows('calls')).filter(({ kind }) => kind === 'call')).toHaveLength(daysRead * callsPerDay);
  const [row] = (await d.rows('agents')).filter(({ kind }) => kind === 'reconciliation');
  expect(row).toMatchObject({ completedAt: expect.any(String) });
  expect(row).not.toHaveProperty('run');
});
