import * as z from 'zod/mini';
import { callId, eventKind, type OneEventRow } from '../storage/event.ts';
import { count, field, instant, nonEmpty } from '../storage/field.ts';

/** Why a recording could not be archived yet. It may be there later, so it is asked for again. */
export const passingProblems = {
  'not-found': 'the host has no such file, or not yet',
  'not-allowed': 'the host denies access, or the link has expired',
  'http-error': 'the host answered with another error',
  empty: 'the host answered with nothing',
  'not-audio': 'the host answered with something else, such as a page of HTML',
  shorter: 'the host sent fewer bytes than it had announced',
  connection: 'the host could not be reached, or broke off',
  timeout: 'the host took too long, or fell silent',
  'not-stored': 'the bucket could not be written or read',
} as const;

/** Why a recording is never asked for: to ask again would change nothing. */
export const lastingProblems = {
  'not-named': 'its call names it no more, or has expired',
  'not-a-url': 'the text is no address',
  'not-https': 'the address does not begin with https',
  'user-info': 'the address has a user name or password',
  'other-port': 'the address names a port other than 443',
  'key-removed': 'the address had a key of the account, which Callfeed does not store',
  'other-host': 'the host is not in recordingHosts',
  'private-address': 'the host’s name leads to a private, local or reserved address',
  'redirected-too-often': 'more than three redirects',
  compressed: 'the host sent it compressed, though Callfeed asks for it as it is',
  'too-large': 'it is larger than recordingMaxMegabytes',
} as const;

const recordingProblems = { ...passingProblems, ...lastingProblems };

export type RecordingProblem = keyof typeof recordingProblems;

/** What a problem means; its name, where only a newer version knows it. */
export const textOfProblem = (problem: RecordingProblem): string => recordingProblems[problem] ?? problem;

const isProblem = (name: string): name is RecordingProblem => Object.hasOwn(recordingProblems, name);

const problem = z.enum(Object.keys(recordingProblems).filter(isProblem));

/** Why a recording that was archived may not be whole. */
const recordingNotes = {
  'no-length': 'its host named no length, so it may have ended early',
} as const;

export type RecordingNote = keyof typeof recordingNotes;

export const isRecordingNote = (text: string | undefined): text is RecordingNote =>
  text !== undefined && Object.hasOwn(recordingNotes, text);

/** What a note means; its name, where only a newer version knows it. */
export const textOfNote = (note: RecordingNote): string => recordingNotes[note] ?? note;

/** What became of a recording. A new one begins with `waiting`. Of an erased one, neither object nor URL is left. */
const recordingStatuses = ['waiting', 'archived', 'given-up', 'erased'] as const;
export type RecordingStatus = (typeof recordingStatuses)[number];

const archived = {
  bucket: field(nonEmpty, 'The bucket of the object.'),
  objectKey: field(nonEmpty, 'The key of the object in the bucket.'),
  contentType: field(nonEmpty, 'The media type that the host named.'),
  sizeBytes: field(count, 'The size of the object in bytes.'),
  sha256: field(z.string().check(z.regex(/^[0-9a-f]{64}$/)), 'The SHA-256 of the object, in hexadecimal.'),
  archivedAt: field(instant, 'When the whole recording was in the bucket.'),
  note: field(
    z.optional(z.enum(['no-length'])),
    'Why it may not be whole: `no-length`, as its host named no length and ended it by closing the connection.',
  ),
};

const recordingId = field(
  nonEmpty,
  'The recording: a hash of its URL as it stands in the call’s row, without the signature of a store.',
);

export const ArchivedRecording = z
  .strictObject({ recordingId, ...archived })
  .register(z.globalRegistry, { title: 'Archived recording' });
export type ArchivedRecording = Readonly<z.infer<typeof ArchivedRecording>>;

/** Published once for each recording, when its object is in the bucket. `occurredAt` and `recordedAt` are equal. */
export const CallRecordingArchived = eventKind(
  'Call Recording Archived',
  { callId, recording: ArchivedRecording },
  {
    when:
      'The recording of a call is whole in the deployment’s bucket, as far as its host lets anybody know, usually seconds after ' +
      'the call’s event. Only with `recordings=archive`, once for each recording.',
    narrowed: { to: 'recordings in MP3', detail: { recording: { contentType: ['audio/mpeg'] } } },
    replayedFrom: 'calls',
    feature: 'recordings',
  },
);
export type CallRecordingArchived = z.infer<typeof CallRecordingArchived>;

/** What became of one recording of a call. Neither its URL nor anything of the call is in it. */
export const Recording = z
  .object({
    account: field(nonEmpty, 'The telephony account, by user name.'),
    callId: field(nonEmpty, 'The digits of the call’s id, as text.'),
    recordingId,
    linkId: field(z.optional(nonEmpty), 'A hash of the link that was asked for last; only of a link with a signature.'),
    status: field(z.enum(recordingStatuses), 'What became of the recording.'),
    waitingSince: field(instant, 'Since when it is to be fetched, or was when it was archived or given up.'),
    attempts: field(count, 'How often it was asked for since then.'),
    askAgainAt: field(z.optional(instant), 'When it may be asked for again; only while it is waiting.'),
    problem: field(z.optional(problem), 'Why the latest attempt failed; absent once it is archived.'),
    givenUpAt: field(z.optional(instant), 'When it was given up.'),
    erasedAt: field(z.optional(instant), 'When it was erased with a person of the call.'),
    objectKey: archived.objectKey,
    bucket: field(z.optional(archived.bucket), 'The bucket of the object, once it is archived.'),
    contentType: field(z.optional(archived.contentType), 'The media type that the host named.'),
    sizeBytes: field(z.optional(archived.sizeBytes), 'The size of the object in bytes.'),
    sha256: field(z.optional(archived.sha256), 'The SHA-256 of the object, in hexadecimal.'),
    archivedAt: field(z.optional(instant), 'When the whole recording was in the bucket.'),
    note: archived.note,
    recordedAt: field(instant, 'When this row was last written.'),
    replayedAt: field(z.optional(instant), 'When an operator replayed the event; absent the first time.'),
  })
  .register(z.globalRegistry, { title: 'Recording' });
export type Recording = Readonly<z.infer<typeof Recording>>;

export const recordingKind = 'recording';

/** A message of the recordings' queue: a call whose recordings are to be archived. It has no personal data. */
export const RecordingMessage = z.object({ account: nonEmpty, callId: nonEmpty });
export type RecordingMessage = Readonly<z.infer<typeof RecordingMessage>>;

/** What its host named, if plain audio or video. A browser would run other types, and reads any `+xml` as a document. */
export const recordingType = (named: string | undefined): string =>
  /^(?:audio|video)\/[a-z\d.-]{1,100}(?=$|[\s;,])/i.exec(named ?? '')?.[0].toLowerCase() ?? 'application/octet-stream';

const ArchivedRow = z.object({ account: nonEmpty, callId: nonEmpty, recordedAt: instant, ...ArchivedRecording.shape });

export const recordingEventRow: OneEventRow<'Call Recording Archived'> = {
  isReady: ({ status }) => status === 'archived',
  typeOf: () => 'Call Recording Archived',
  eventOf(read) {
    const { account, callId, recordedAt, ...recording } = read(ArchivedRow);
    const identity = ['recording', account, callId, recording.recordingId];
    return {
      type: 'Call Recording Archived',
      key: identity.join(' '),
      identity,
      subject: { account, callId },
      occurredAt: recording.archivedAt,
      recordedAt,
      about: { recording },
    };
  },
};
