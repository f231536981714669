import middy from '@middy/core';
import type {
  FirehoseTransformationEvent,
  FirehoseTransformationEventRecord,
  FirehoseTransformationResult,
  FirehoseTransformationResultRecord,
} from 'aws-lambda';
import { tryParseJson } from '../../lib/core/json.ts';
import { loggableError } from '../../lib/core/result.ts';
import { type BufferedTelemetry, runSettings } from '../adapters/json-telemetry.ts';
import { dayPartition, historyRowOf } from './tables.ts';

export interface TransformParts {
  readonly telemetry: BufferedTelemetry;
}

/** Rows for Firehose, each with its partition's day. Else the error prefix; the log names wrong fields, never content. */
export const composeTransform = ({ telemetry }: TransformParts) =>
  middy<FirehoseTransformationEvent, FirehoseTransformationResult>(runSettings(telemetry)).handler(
    async ({ records }) => ({ records: records.map(transformed(telemetry)) }),
  );

const transformed =
  (telemetry: BufferedTelemetry) =>
  ({ recordId, data }: FirehoseTransformationEventRecord): FirehoseTransformationResultRecord => {
    const made = historyRowOf(tryParseJson(Buffer.from(data, 'base64').toString()));
    if (!made.ok) {
      telemetry.fault('event', loggableError(made.problem));
      return { recordId, result: 'ProcessingFailed', data };
    }
    if (made.value === undefined) return { recordId, result: 'Dropped', data };

    const { day, row } = made.value;
    return {
      recordId,
      result: 'Ok',
      data: Buffer.from(`${JSON.stringify(row)}\n`).toString('base64'),
      metadata: { partitionKeys: { [dayPartition.name]: day } },
    };
  };
