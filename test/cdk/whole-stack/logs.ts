import { compileFunction } from 'node:vm';
import { matchesFilter } from '../monitoring/callback-scenarios.ts';
import { watchedMetrics } from '../monitoring/watched-metrics.ts';
import { resourcesOf } from '../support/resources.ts';
import { nameOf, type Properties, plain, propertiesOf } from '../support/template.ts';
import { type Line, linesByGroup } from './logged-lines.ts';
import { findingsAt, type StackRule } from './rule.ts';

/** The value of a field of a line, by its path. CloudWatch adds those that begin with @. */
const valueAt = (line: Line, path: string): unknown =>
  path.startsWith('@') ? path : path.split('.').reduce<unknown>((value, key) => Object(value)[key], line);

/** The names in a part of a query, without texts, functions, and names that it gives itself. */
const namesIn = (text: string): readonly string[] =>
  text
    .replaceAll(/"[^"]*"|\bas \w+|\bbin\([^)]*\)|\w+(?=\()|\b(?:and|or|by|asc|desc)\b/g, ' ')
    .match(/(?<![\w.])[@A-Za-z][\w.]*/g) ?? [];

/** The part of the language of CloudWatch Logs Insights that the saved queries use. Throws at any other. */
const parsed = (query: string) => {
  const parts = query.split(/\s*\n\| /).map((part) => /^(filter|stats|sort|limit) (.*)$/.exec(part));
  const textOf = (command: string): string =>
    parts.flatMap((part) => (part?.[1] === command ? (part[2] ?? '') : [])).join(' and ');
  if (parts.some((part) => part === null)) throw new Error(`Unknown query: ${query}`);
  const filter = textOf('filter');
  const stats = textOf('stats');
  const aliases = [...stats.matchAll(/\bas (\w+)/g)].map(([, alias = '']) => alias);
  const body = filter
    .replaceAll(/"[^"]*"|!=|=|\band\b|\bor\b|[@A-Za-z][\w.]*/g, (token) => {
      const operators: Readonly<Record<string, string>> = { '=': '===', '!=': '!==', and: '&&', or: '||' };
      return operators[token] ?? (token.startsWith('"') ? token : `value('${token}')`);
    })
    .trim();
  const evaluate = compileFunction(`return ${body || 'true'}`, ['value']);
  const read = [...namesIn(stats), ...namesIn(textOf('sort'))].filter((name) => !aliases.includes(name));

  return {
    /** What it reads of the lines that it takes. */
    read: [...new Set(read)],
    /** Without a filter it means the lines that have all that it reads. */
    takes: (line: Line): boolean =>
      body === ''
        ? read.every((name) => valueAt(line, name) !== undefined)
        : Boolean(evaluate((path: string) => valueAt(line, path))),
    asked: namesIn(filter),
  };
};

export const queriesAskTheRightLogs: StackRule = (synthesised) => {
  const lines = linesByGroup(synthesised);
  const queries = Object.values(propertiesOf(synthesised.template, 'AWS::Logs::QueryDefinition'));

  return findingsAt(queries, ({ Name, QueryString, LogGroupNames }) => {
    const { takes, read, asked } = parsed(QueryString);
    const groups = LogGroupNames.map(({ Ref }: { readonly Ref: string }) => plain(Ref)).toSorted();
    const meant = [...lines].filter(([, some]) => some.some(takes));
    const names = meant.map(([id]) => plain(id)).toSorted();
    if (names.length === 0) return `${nameOf(Name)} takes no line of any log`;
    if (groups.join() !== names.join()) return `${nameOf(Name)} asks ${groups}, and ${names} have such lines`;
    const absent = meant.flatMap(([id, some]) =>
      [...read, ...asked]
        .filter((name) => some.filter(takes).every((line) => valueAt(line, name) === undefined))
        .map((name) => `${name} in ${plain(id)}`),
    );
    return absent.length === 0 ? undefined : `${nameOf(Name)} asks for fields that nothing logs: ${absent}`;
  });
};

export const filtersCountLoggedLines: StackRule = (synthesised) => {
  const { template } = synthesised;
  const lines = linesByGroup(synthesised);
  const alarms = Object.values(propertiesOf(template, 'AWS::CloudWatch::Alarm'));
  const watched = alarms.flatMap((alarm) => Object.values(watchedMetrics(alarm)));
  const filters = Object.entries(propertiesOf(template, 'AWS::Logs::MetricFilter'));

  return findingsAt(filters, ([id, { FilterPattern, LogGroupName, MetricTransformations }]) => {
    const some = lines.get(LogGroupName.Ref) ?? [];
    const counted = some.filter((line) => matchesFilter(FilterPattern, line));
    if (counted.length === 0 || counted.length === some.length)
      return `${plain(id)} counts ${counted.length} of ${some.length} kinds of lines`;
    const [{ MetricNamespace, MetricName, Dimensions = [], MetricValue, Unit }] = MetricTransformations;
    const [line = {}] = counted;
    const dimensions = Dimensions.map(({ Key, Value }: Properties) => [Key, valueAt(line, Value.replace('$.', ''))]);
    const isRead = watched.some(
      (metric) =>
        metric.namespace === MetricNamespace &&
        metric.metric === MetricName &&
        JSON.stringify(metric.dimensions) === JSON.stringify(Object.fromEntries(dimensions)),
    );
    if (MetricValue !== '1' || Unit !== 'Count') return `${plain(id)} counts ${MetricValue} ${Unit} for each line`;
    return isRead
      ? undefined
      : `${plain(id)} makes ${MetricNamespace} ${MetricName} ${dimensions}, which no alarm reads`;
  });
};

/** Each log has one writer, and all are kept as long. Without JSON, queries and embedded metrics would find no field. */
export const logsHaveOneWriter: StackRule = ({ template }) => {
  const resources = resourcesOf(template);
  const groups = Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::Logs::LogGroup');
  const functions = Object.values(propertiesOf(template, 'AWS::Lambda::Function'));
  const ofFunctions = functions.map(({ LoggingConfig = {} }) =>
    LoggingConfig.LogFormat === 'JSON' ? nameOf(LoggingConfig.LogGroup) : 'no log in JSON',
  );
  const stages = Object.values(propertiesOf(template, 'AWS::ApiGatewayV2::Stage'));
  const ofStages = stages.map(({ AccessLogSettings }) => nameOf(AccessLogSettings?.DestinationArn));
  const writers = [...ofFunctions, ...ofStages].map((group) => group.replace(/\.(?:Ref|Arn)$/, '')).toSorted();
  const days = new Set(groups.map(([, { Properties }]) => Properties?.['RetentionInDays']));
  const names = groups.map(([id]) => plain(id)).toSorted();

  return {
    places: groups.length,
    broken: [
      ...(writers.join() === names.join() ? [] : [`The logs are ${names}, and written are ${writers}`]),
      ...(days.size === 1 && !days.has(undefined) ? [] : [`Logs are kept for ${[...days]} days`]),
    ],
  };
};
