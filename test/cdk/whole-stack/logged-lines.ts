import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { loggableError } from '../../../lib/core/result.ts';
import { eventsPublished } from '../../../lib/telemetry/metrics.ts';
import { call, deployment } from '../../deployment/index.ts';
import { type Properties, plain, propertiesOf } from '../support/template.ts';
import type { Synthesised } from './rule.ts';

/** A line of a log, as CloudWatch Logs reads its fields. */
export type Line = Readonly<Record<string, unknown>>;

/**
 * What Lambda itself writes into a log in JSON: a report of each run, here a first one and one that took too long, and the error of
 * one that crashed.
 * https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
const linesOfLambda: readonly Line[] = [
  {
    time: '2026-11-20T06:00:00.000Z',
    type: 'platform.report',
    record: {
      requestId: '1',
      metrics: { durationMs: 9, billedDurationMs: 10, memorySizeMB: 512, maxMemoryUsedMB: 90, initDurationMs: 200 },
      status: 'success',
    },
  },
  {
    time: '2026-11-20T06:00:00.000Z',
    type: 'platform.report',
    record: {
      requestId: '2',
      metrics: { durationMs: 9, billedDurationMs: 10, memorySizeMB: 512, maxMemoryUsedMB: 90 },
      status: 'timeout',
    },
  },
  { timestamp: '2026-11-20T06:00:00.000Z', level: 'ERROR', requestId: '3', errorType: 'TypeError', errorMessage: 'no' },
];

/** What a function writes itself: its lines about posts and ticks when it gets some, and what all write with one telemetry. */
const linesOfFunctions = async (): Promise<readonly Line[]> => {
  const d = await deployment();
  await d.post(call({ monitorUCID: '1' }).answered());
  await d.post(call({ monitorUCID: '2', Apikey: 'unknown' }).answered());
  await d.poll();
  const lines = [...d.logs()];
  await d.stop();
  return lines;
};

const linesOfAll = (name: string): readonly Line[] => {
  const lines: Line[] = [];
  const telemetry = jsonTelemetry({ function: name, deployment: 'any' }, (line) => lines.push(JSON.parse(line)));
  telemetry.fault('accounts', loggableError('A sentence of ours'));
  telemetry.count(eventsPublished);
  telemetry.flush();
  return lines;
};

/** `ReceiveCallbackServiceFunction` is the function `receive-callback`. */
export const functionName = (id: string): string =>
  plain(id)
    .replace(/ServiceFunction$/, '')
    .replace(/^Analytics$/, 'TransformEvents')
    .replaceAll(/(?<!^)[A-Z]/g, '-$&')
    .toLowerCase();

/** Lines of the API's log for replies of all kinds, in the format of its stage. */
const linesOfApi = ({ AccessLogSettings: { Format } }: Properties): readonly Line[] =>
  [200, 400, 429, 503].map((status) =>
    JSON.parse(Format.replaceAll(/\$context\.(\w+)/g, (_: string, name: string) => (name === 'status' ? status : '-'))),
  );

const ofFunctions = await linesOfFunctions();

/** For each log group, by its logical id, lines of every kind that are written into it. */
export const linesByGroup = ({ template }: Synthesised): ReadonlyMap<string, readonly Line[]> => {
  const functions = Object.entries(propertiesOf(template, 'AWS::Lambda::Function')).map(([id, { LoggingConfig }]) => {
    const name = functionName(id);
    const own = ofFunctions.filter((line) => line['function'] === name);
    return [LoggingConfig?.LogGroup?.Ref, [...own, ...linesOfAll(name), ...linesOfLambda]] as const;
  });
  const stages = Object.values(propertiesOf(template, 'AWS::ApiGatewayV2::Stage')).map(
    (stage) => [stage['AccessLogSettings'].DestinationArn['Fn::GetAtt'][0], linesOfApi(stage)] as const,
  );
  return new Map([...functions, ...stages]);
};
