import type { Template } from 'aws-cdk-lib/assertions';
import { nameOf, type Properties, someOf } from '../resources.ts';
import type { Watched } from './series.ts';

type Row = readonly (string | Properties)[];

const dimensionsIn = (names: readonly (string | Properties)[]): Readonly<Record<string, string>> => {
  const texts = names.filter((name) => typeof name === 'string');

  return Object.fromEntries(texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] ?? '']] : [])));
};

/** Every metric in a graph of the dashboard. */
export const metricsOnDashboard = (
  template: Template,
): readonly Pick<Watched, 'namespace' | 'metric' | 'dimensions'>[] => {
  const [[, dashboard] = []] = someOf(template, 'AWS::CloudWatch::Dashboard');
  const { widgets } = JSON.parse(nameOf(dashboard?.['DashboardBody']));
  const rows: readonly Row[] = widgets.flatMap(({ properties }: Properties) => properties['metrics']);

  return rows.flatMap(([namespace, metric, ...rest]) =>
    typeof namespace === 'string' && typeof metric === 'string'
      ? [{ namespace, metric, dimensions: dimensionsIn(rest) }]
      : [],
  );
};
