import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';
import { localRegion } from '../local-client.ts';
import { localAccount } from '../queue/sqs.ts';
import type { Envelope } from './envelope.ts';

/** An entry as it arrives: everything may be missing, which is told entry by entry. `Time` is seconds since the epoch. */
export const PutEventsEntry = z.object({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().optional(),
  Resources: z.array(z.string()).default([]),
  Time: z.number().optional(),
});
export type PutEventsEntry = z.infer<typeof PutEventsEntry>;

/** What a request may carry in all. */
export const limitBytes = 256 * 1024;

/** Why an entry is refused. */
export interface EntryProblem {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

const bytes = (text = ''): number => Buffer.byteLength(text);

/** The size of an entry as EventBridge counts it. */
export const entryBytes = ({ Time, Source, DetailType, Detail, Resources }: PutEventsEntry): number =>
  (Time === undefined ? 0 : 14) +
  bytes(Source) +
  bytes(DetailType) +
  bytes(Detail) +
  Resources.reduce((sum, resource) => sum + bytes(resource), 0);

const invalid = (ErrorMessage: string): EntryProblem => ({ ErrorCode: 'InvalidArgument', ErrorMessage });

const parseDetail = (detail: string): Envelope['detail'] | undefined =>
  z.record(z.string(), z.unknown()).safeParse(parsed(detail)).data;

/** The event that subscribers of `busName` get for an entry, or why there is none. */
export const accept = (entry: PutEventsEntry, busName: string, now: Date): Envelope | EntryProblem => {
  const { Source, DetailType, Detail, EventBusName = 'default', Resources, Time } = entry;
  if (!Source) return invalid('Parameter Source is not valid. Reason: Source is a required argument.');
  if (!DetailType) return invalid('Parameter DetailType is not valid. Reason: DetailType is a required argument.');
  if (Detail === undefined) return invalid('Parameter Detail is not valid. Reason: Detail is a required argument.');
  if (Source.startsWith('aws.'))
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: `Not authorized for the source ${Source}.` };
  if (EventBusName.slice(EventBusName.lastIndexOf('/') + 1) !== busName)
    return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: `Event bus ${EventBusName} does not exist.` };

  const detail = parseDetail(Detail);
  if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };

  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: localAccount,
    time: `${new Date(Time === undefined ? now : Time * 1000).toISOString().slice(0, 19)}Z`,
    region: localRegion,
    resources: Resources,
    detail,
  };
};
