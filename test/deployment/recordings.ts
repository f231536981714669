import type { RecordingBucket } from '../../functions/archive-recordings/archive-recordings.ts';
import type { RecordingObject } from '../../functions/archive-recordings/recording-row.ts';
import { sha256 } from '../../lib/core/encoding.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import type { RecordingProblem } from '../../lib/recordings/schema.ts';
import type { FaultyProcess } from './fault.ts';

/** What a host answers for a URL: the whole recording, or why there is none. */
export type RecordingHost = (url: string) => Result<string, RecordingProblem>;

/** The bucket of recordings in memory, and the host that they come from. */
export interface RecordingStore {
  /** The recordings by key. */
  readonly objects: Map<string, string>;
  /** The URLs that were asked for, in order. */
  readonly asked: string[];
  readonly host: RecordingHost;
}

export const recordingStore = (host: RecordingHost = () => fail('not-found')): RecordingStore => ({
  objects: new Map(),
  asked: [],
  host,
});

const described = (body: string): RecordingObject => ({
  bucket: 'recordings',
  contentType: 'audio/mpeg',
  sizeBytes: body.length,
  sha256: sha256(body).toString('hex'),
});

/** The bucket as one process uses it, which may crash at each of its effects. An object is never overwritten. */
export const faultyBucket = (
  { call }: Pick<FaultyProcess, 'call'>,
  { objects, asked, host }: RecordingStore,
): RecordingBucket => {
  const effect = <Of>(service: 'recordings' | 's3', operation: string, act: () => Of): Promise<Of> =>
    call({ service, operation, body: () => '' }, async (fault) => {
      if (fault === 'fail' || fault === 'throttle') throw new Error('503');
      return act();
    });
  const existing = (objectKey: string): RecordingObject | undefined => {
    const body = objects.get(objectKey);
    return body === undefined ? undefined : described(body);
  };
  return {
    existing: (objectKey) => effect('s3', 'GetObject', () => existing(objectKey)),
    async copy(url, objectKey) {
      const answer = await effect('recordings', 'GET', () => {
        asked.push(url);
        return host(url);
      });
      if (!answer.ok) return answer;
      return effect('s3', 'PutObject', () => {
        if (!objects.has(objectKey)) objects.set(objectKey, answer.value);
        return ok(existing(objectKey) ?? described(answer.value));
      });
    },
    remove: (objectKey) => effect('s3', 'DeleteObject', () => void objects.delete(objectKey)),
  };
};
