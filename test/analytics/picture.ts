import { writeFileSync } from 'node:fs';
import { dashboard, sentByGrafana } from './dashboard.ts';
import { askViews } from './simulated-day.ts';

/*
 * Draws the figures of the dashboard for Grafana from a folder of Parquet:
 * node test/analytics/picture.ts FOLDER FROM TO, such as what `npm start -- --analytics FOLDER` wrote.
 */
const [folder = '', from = '', to = ''] = process.argv.slice(2);

type Panel = ReturnType<typeof dashboard>['panels'][number];
type Row = Readonly<Record<string, unknown>>;

/** The pixels of a cell of Grafana's grid, and of the space between panels. */
const [cellWidth, cellHeight, gap] = [50, 30, 8] as const;
const colours = ['#3f8f5f', '#c4572e', '#4a6fa5'] as const;

const escaped = (value: unknown): string =>
  String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const text = (x: number, y: number, value: unknown, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(value)}</text>`;

const shown = (value: unknown, unit: string): string => {
  if (value === null || value === undefined) return '–';
  if (Number.isNaN(Number(value))) return String(value);
  if (unit === 'percentunit') return `${(Number(value) * 100).toFixed(1)} %`;
  if (unit === 's' && Number(value) >= 3_600) return `${(Number(value) / 3_600).toFixed(1)} h`;
  if (unit === 's') return `${Math.round(Number(value))} s`;
  return Number(value).toLocaleString('en');
};

const unitsOf = ({ fieldConfig }: Panel, name: string): string =>
  fieldConfig.overrides.find(({ matcher }) => matcher.options === name)?.properties[0]?.value ??
  fieldConfig.defaults.unit;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const stat = (panel: Panel, [row]: readonly Row[], { x, y, width, height }: Box): string =>
  text(
    x + width / 2,
    y + height / 2 + 16,
    shown(row?.['value'], panel.fieldConfig.defaults.unit),
    'class="large" text-anchor="middle"',
  );

const series = (panel: Panel, rows: readonly Row[], { x, y, width, height }: Box): string => {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'time');
  const isStacked = panel.fieldConfig.defaults.custom?.drawStyle === 'bars';
  const values = (row: Row) => names.map((name) => Number(row[name] ?? 0));
  const top = Math.max(
    ...rows.map((row) => (isStacked ? values(row).reduce((all, one) => all + one, 0) : Math.max(...values(row)))),
  );
  const [left, bottom, plotHeight] = [x + 44, y + height - 24, height - 82];
  const step = (width - 60) / rows.length;
  const up = (value: number) => (plotHeight * value) / top;
  const unit = panel.fieldConfig.defaults.unit;
  const bars = rows.flatMap((row, index) => {
    let base = 0;
    return values(row).map((value, at) => {
      const bar = `<rect x="${(left + index * step).toFixed(1)}" y="${(bottom - up(base + value)).toFixed(1)}" width="${(step * 0.8).toFixed(1)}" height="${up(value).toFixed(1)}" fill="${colours[at]}"/>`;
      base += value;
      return bar;
    });
  });
  const lines = names.map((name, at) => {
    const points = rows.flatMap((row, index) =>
      row[name] === null
        ? []
        : [`${(left + (index + 0.5) * step).toFixed(1)},${(bottom - up(Number(row[name]))).toFixed(1)}`],
    );
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[at]}" stroke-width="2"/>`;
  });
  const hours = rows.flatMap((row, index) =>
    index * step < width - 90 && / (?:00|06|12|18):00:00/.test(String(row['time']))
      ? [text(left + index * step, y + height - 8, String(row['time']).slice(11, 16), 'class="small"')]
      : [],
  );
  const legend = names.map((name, at) =>
    text(x + 14 + at * 110, y + 40, name.replaceAll('_', ' '), `class="small" style="fill:${colours[at]}"`),
  );
  return [
    ...[...legend, text(x + 6, bottom - plotHeight + 4, shown(top, unit), 'class="small"'), ...hours],
    `<line x1="${left}" y1="${bottom}" x2="${x + width - 16}" y2="${bottom}" stroke="#999"/>`,
    ...(isStacked ? bars : lines),
  ].join('\n');
};

const table = (panel: Panel, rows: readonly Row[], { x, y, width, height }: Box): string => {
  const names = Object.keys(rows[0] ?? {});
  const columnWidth = (width - 28) / names.length;
  const place = (at: number) => (at === 0 ? x + 14 : x + 14 + (at + 1) * columnWidth);
  const anchor = (at: number, style: string) => `class="${style}"${at === 0 ? '' : ' text-anchor="end"'}`;
  const head = names.map((name, at) => text(place(at), y + 44, name.replaceAll('_', ' '), anchor(at, 'small')));
  const lines = rows
    .slice(0, Math.floor((height - 56) / 20))
    .flatMap((row, index) =>
      names.map((name, at) =>
        text(place(at), y + 66 + index * 20, shown(row[name], unitsOf(panel, name)), anchor(at, 'cell')),
      ),
    );
  return [...head, ...lines].join('\n');
};

const bars = (_panel: Panel, rows: readonly Row[], { x, y, width, height }: Box): string => {
  const most = Math.max(...rows.map(({ calls }) => Number(calls)));
  const step = (height - 44) / rows.length;
  return rows
    .map(({ disposition, calls }, index) => {
      const top = y + 36 + index * step;
      const length = ((width - 240) * Number(calls)) / most;
      return [
        text(x + 150, top + step / 2 + 4, disposition, 'class="small" text-anchor="end"'),
        `<rect x="${x + 160}" y="${top.toFixed(1)}" width="${length.toFixed(1)}" height="${(step * 0.7).toFixed(1)}" fill="${colours[2]}"/>`,
        text(x + 168 + length, top + step / 2 + 4, shown(calls, 'none'), 'class="small"'),
      ].join('\n');
    })
    .join('\n');
};

const draw = { stat, timeseries: series, table, barchart: bars } as const;

const { panels } = dashboard();
const asking = await askViews(folder);
const drawn: string[] = [];
for (const panel of panels) {
  const rows = await asking.ask(sentByGrafana(panel.targets[0].rawSQL, { from, to }));
  const { x, y, w, h } = panel.gridPos;
  const box = {
    x: x * cellWidth + gap,
    y: y * cellHeight + gap,
    width: w * cellWidth - gap,
    height: h * cellHeight - gap,
  };
  drawn.push(
    `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="4" fill="#fff" stroke="#ddd"/>`,
    text(box.x + 14, box.y + 22, panel.title, 'class="title"'),
    draw[panel.type](panel, rows, box),
  );
}
asking.close();

const bottom = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h)) * cellHeight + gap;
writeFileSync(
  'docs/images/analytics.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${24 * cellWidth + gap} ${bottom}" font-family="Helvetica, Arial, sans-serif">
<title>The dashboard of the analytics over a simulated day</title>
<style>text{fill:#333}.title{font-size:14px;font-weight:bold}.large{font-size:30px}.small{font-size:11px;fill:#666}.cell{font-size:13px}</style>
<rect width="100%" height="100%" fill="#f4f5f5"/>
${drawn.join('\n')}
</svg>
`,
);
