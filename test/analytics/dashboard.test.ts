import { describe, expect, it } from 'vitest';
import type { BusEvent } from '../../lib/publish/events-of-change.ts';
import { everyEvent } from '../support/every-event.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { dashboard, dashboardQueries, sentByGrafana } from './dashboard.ts';
import { askViews, writeEvents } from './simulated-day.ts';

const days = { from: '2000-01-01', to: '2100-01-01' };

describe('the dashboard for Grafana', () => {
  it.each([
    ['Service level', 'value'],
    ['Service level by hour', 'service_level'],
    ['Skills', 'service_level'],
  ])('has no zero in %s where no call has a time to answer', async (name, column) => {
    const [{ detail }] = (await everyEvent('keep')) as [BusEvent];
    const sales = { timeZone: 'UTC', skillName: 'Sales', startedAt: '2026-11-20T10:00:00.000Z' };
    const calls = ['answered', 'not-answered'].map((status) => ({
      'detail-type': 'Call Summary Recorded',
      detail: { ...detail, callId: status, call: { ...sales, status } },
    }));
    const { path } = temporaryFolder('dashboard');
    await writeEvents(path, calls);
    const ofCalls = await askViews(path);
    const sql = dashboardQueries().find((query) => query.name === name)?.sql ?? '';
    const [row] = await ofCalls.ask(sentByGrafana(sql, { ...days, account: String(detail['account']) }));
    ofCalls.close();

    expect(row?.[column]).toBeNull();
  });

  it('has panels of different ids that do not overlap', () => {
    const { panels } = dashboard();
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    );

    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });

  it('has a column `time` in each graph over time', async () => {
    for (const { type, targets } of dashboard().panels)
      if (type === 'timeseries') expect(targets[0].rawSQL).toMatch(/ AS time,/);
  });
});
