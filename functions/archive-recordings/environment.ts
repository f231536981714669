import * as z from 'zod/mini';
import { queueUrl, resourceName, settingVariables, telemetryEnv, textVariable } from '../adapters/env.ts';

/** An address of this machine, where an emulator may listen. On AWS Lambda nothing does. */
const localAddress = textVariable(
  /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/,
  'an address of this machine',
);

export const archiveRecordingsEnv = z
  .object({
    ...telemetryEnv().shape,
    ...settingVariables('archive-recordings'),
    CALLS_TABLE: resourceName,
    RECORDINGS_BUCKET: resourceName,
    RECORDINGS_QUEUE_URL: queueUrl,
    RECORDINGS_DEAD_LETTERS_URL: queueUrl,
    RECORDING_HOSTS: z.pipe(
      textVariable(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/, 'names of hosts with commas between them'),
      z.transform((hosts: string) => hosts.split(',')),
    ),
    /** Where an emulator of AWS has the hosts of recordings. Without an emulator it is refused. */
    RECORDINGS_THROUGH: z.optional(localAddress),
    AWS_ENDPOINT_URL: z.optional(z.string()),
  })
  .check(
    z.refine(
      ({ RECORDINGS_THROUGH, AWS_ENDPOINT_URL }) => RECORDINGS_THROUGH === undefined || AWS_ENDPOINT_URL !== undefined,
      { path: ['RECORDINGS_THROUGH'], message: 'nothing, as AWS is not emulated' },
    ),
  );
export type ArchiveRecordingsEnv = z.output<typeof archiveRecordingsEnv>;
