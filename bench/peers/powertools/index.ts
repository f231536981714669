import { IdempotencyAlreadyInProgressError } from '@aws-lambda-powertools/idempotency';
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { parse } from '@aws-lambda-powertools/parser';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { CallSummary, Posted } from './schema.ts';
import { duringRun, takeCall } from './take-call.ts';

const { API_KEY } = process.env;

const logger = new Logger();
const metrics = new Metrics();

const reply = (statusCode: number, body: object): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** What is answered while another run works on the same summary: whoever sends it again later finds it done. */
const inProgress = reply(409, { error: 'The summary is being taken in.' });

/** The receiver on Powertools: parser, idempotency, logger and metrics. */
export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics))
  .handler(async (event, context) => {
    if (event.requestContext.http.method !== 'POST') return reply(200, { service: 'calls' });

    const posted = parse(event, undefined, Posted, true);
    if (!posted.success) return reply(400, { error: 'The field "data" must hold JSON.' });
    const summaries = posted.data.flatMap((record) => CallSummary.safeParse(record).data ?? []);
    if (summaries.length === 0) return reply(400, { error: 'There is no call summary.' });
    if (summaries.some(({ Apikey }) => Apikey !== API_KEY)) return reply(401, { error: 'The key is not known.' });

    duringRun(context);
    try {
      await Promise.all(summaries.map((summary) => takeCall(summary)));
    } catch (error) {
      if (error instanceof IdempotencyAlreadyInProgressError) return inProgress;
      throw error;
    }
    metrics.addMetric('CallbacksTaken', MetricUnit.Count, 1);
    metrics.addMetric('CallsTaken', MetricUnit.Count, summaries.length);
    logger.info('Calls taken', { calls: summaries.length });
    return reply(200, { taken: summaries.length });
  });
