import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings, connected, deployedSettings } from '../adapters/aws-clients.ts';
import { deployedParts } from '../adapters/json-telemetry.ts';
import { composeArchiving } from './app.ts';
import { archiveRecordingsEnv } from './environment.ts';
import { fetchRecording } from './fetch-recording.ts';
import { publicLookup } from './public-lookup.ts';
import { recordingBucket } from './recording-bucket.ts';

const parts = deployedParts('archive-recordings', archiveRecordingsEnv, process.env);
const { env } = parts;

/** A part of a recording takes longer than other requests. The rest is what the SDK would look for besides. */
const s3Settings = {
  ...deployedSettings(process.env, 'S3'),
  requestHandler: { ...clientSettings.requestHandler, requestTimeout: 60_000 },
  requestChecksumCalculation: 'WHEN_SUPPORTED',
  responseChecksumValidation: 'WHEN_SUPPORTED',
  useArnRegion: false,
  disableMultiregionAccessPoints: false,
  disableS3ExpressSessionAuth: false,
} as const;

const fetch = fetchRecording({
  env,
  route: env.RECORDINGS_THROUGH === undefined ? { lookup: publicLookup() } : { through: env.RECORDINGS_THROUGH },
});

export const handler = composeArchiving({
  ...parts,
  dynamodb: connected(new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB'))),
  sqs: new SQSClient(deployedSettings(process.env, 'SQS')),
  bucket: recordingBucket(new S3Client(s3Settings), env.RECORDINGS_BUCKET, fetch),
});
