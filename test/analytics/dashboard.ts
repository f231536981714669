import { readFileSync } from 'node:fs';
import * as z from 'zod';

const Datasource = z.object({
  type: z.literal('grafana-athena-datasource'),
  uid: z.string().regex(/^\$\{DS_ATHENA\}$/),
});
const Query = z.object({ rawSQL: z.string(), format: z.literal([0, 1]) });

const Unit = z.enum(['none', 's', 'percentunit']);

const Dashboard = z.object({
  __inputs: z.tuple([z.object({ name: z.literal('DS_ATHENA'), pluginId: z.literal('grafana-athena-datasource') })]),
  panels: z.array(
    z.object({
      id: z.int(),
      type: z.enum(['stat', 'timeseries', 'table', 'barchart']),
      title: z.string().min(1),
      description: z.string().min(1),
      datasource: Datasource,
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      fieldConfig: z.object({
        defaults: z.object({ unit: Unit, custom: z.optional(z.object({ drawStyle: z.enum(['bars', 'line']) })) }),
        overrides: z.array(
          z.object({
            matcher: z.object({ id: z.literal('byName'), options: z.string() }),
            properties: z.tuple([z.object({ id: z.literal('unit'), value: Unit })]),
          }),
        ),
      }),
      targets: z.tuple([z.object({ ...Query.shape, datasource: Datasource })]),
    }),
  ),
  templating: z.object({
    list: z.tuple([z.object({ name: z.literal('account'), datasource: Datasource, query: Query })]),
  }),
});

/** The dashboard for Grafana, as far as the tests read it. */
export const dashboard = () => Dashboard.parse(JSON.parse(readFileSync('docs/grafana/callfeed.json', 'utf8')));

/** A query as Grafana sends it, for some days and an account. */
export const sentByGrafana = (
  sql: string,
  { from, to, account = 'demo' }: { readonly from: string; readonly to: string; readonly account?: string },
): string =>
  sql
    .replaceAll(/\$\{__from:date:YYYY-MM-DD\}/g, from)
    .replaceAll(/\$\{__to:date:YYYY-MM-DD\}/g, to)
    .replaceAll(/\$\{account:singlequote\}/g, `'${account}'`);

/** Every query of the dashboard, under the title of its panel. */
export const dashboardQueries = (): readonly { readonly name: string; readonly sql: string }[] => {
  const { panels, templating } = dashboard();
  return [
    ...templating.list.map(({ name, query }) => ({ name, sql: query.rawSQL })),
    ...panels.map(({ title, targets: [{ rawSQL }] }) => ({ name: title, sql: rawSQL })),
  ];
};
