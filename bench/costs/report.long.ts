import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { infrequentFromDays } from '../../cdk/constructs/storage.ts';
import { dynamodbEndpoint, type LocalTables, startLocalTables } from '../../test/support/dynamodb-local.ts';
import { consoleReport } from './console-report.ts';
import { measureConsoles } from './measure-console.ts';
import { infrequentPaysAfterDays, measure, type Report } from './month.ts';
import { addQuantities, dollarsOf } from './prices.ts';
import { analyticsReport, markdownReport } from './report.ts';

let tables: LocalTables;
let report: Report;

beforeAll(async () => {
  tables = await startLocalTables(await dynamodbEndpoint());
  report = await measure(tables);
});
afterAll(() => tables.stop());

describe('docs/performance.md', () => {
  it('holds what npm run costs prints', async () => {
    expect(await readFile('docs/performance.md', 'utf8')).toContain(markdownReport(report));
  });

  it('holds what it prints about an open console', async () => {
    // The large contact centre takes minutes, and stands in the same lines behind the small one.
    const small = await measureConsoles(tables, () => undefined, 1);
    const lines = consoleReport(small, report)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('|--'));
    const page = await readFile('docs/performance.md', 'utf8');

    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => !page.includes(line))).toEqual([]);
  });

  it('holds what it prints about analytics', async () => {
    expect(await readFile('docs/performance.md', 'utf8')).toContain(analyticsReport(report));
  });
});

describe('the bill', () => {
  it('of a small and of a large contact centre stays in its bounds, with the default settings', () => {
    const totals = report.months.map(({ month }) => dollarsOf(addQuantities(month.calls, month.agents, month.fixed)));

    expect(totals[0]).toBeLessThanOrEqual(10);
    expect(totals[2]).toBeLessThanOrEqual(155);
  });

  it('is lower with infrequent access where the stack chooses it', () => {
    expect(infrequentPaysAfterDays(report.calls, report.deployed)).toBeLessThan(infrequentFromDays);
  });
});

describe('what is counted', () => {
  it('is one write for a new call and a repeat, and a second one for a revision', () => {
    const { first, repeat, revision } = report.calls;

    expect([first, repeat, revision].map(({ dynamodbCalls }) => dynamodbCalls)).toEqual([1, 1, 2]);
    expect([first, repeat, revision].map(({ events }) => events)).toEqual([1, 0, 1]);
  });

  it('is two writes of one unit and no read for an unchanged poll, however many agents there are', () => {
    for (const { unchanged } of report.polls)
      expect(unchanged).toMatchObject({ dynamodbCalls: 2, tableWriteUnits: 2, readUnits: 0, events: 0, tableBytes: 0 });
  });

  it('is an event for each agent who has changed', () => {
    const changed = report.polls.flatMap((polls) => [...polls.changed]);

    expect(changed.map(([agents]) => agents)).toEqual([2, 10, 5, 50]);
    for (const [agents, { events }] of changed) expect(events).toBe(agents);
  });

  it('is no second request to the telephony service for the second tick of a slot', () => {
    for (const { taken, unchanged } of report.polls)
      expect([taken.serviceCalls, unchanged.serviceCalls]).toEqual([0, 1]);
  });

  it('grows with the volume, but for what is fixed', () => {
    const [small, medium, large] = report.months.map(({ month }) => month);

    expect(small?.fixed).toEqual(large?.fixed);
    expect(small?.calls.infrequentWriteUnits).toBeLessThan(medium?.calls.infrequentWriteUnits ?? 0);
    expect(medium?.agents.writeUnits).toBeLessThan(large?.agents.writeUnits ?? 0);
  });
});
