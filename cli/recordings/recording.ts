import { Option } from '@commander-js/extra-typings';
import { namedRecordings } from '../../lib/recordings/recording-keys.ts';
import { type Recording, textOfNote, textOfProblem } from '../../lib/recordings/schema.ts';
import { hasRecording, noRecording, noSuchCall } from '../calls/call.ts';
import { type BareCommand, command, on, unlessNamed } from '../frame/command.ts';
import { accountOption, wholeNumber } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { type Reader, reader } from '../frame/reader.ts';
import { printRows, type TableRow } from '../frame/table.ts';
import { printable } from '../frame/terminal.ts';
import {
  type ArchivedObject,
  isArchived,
  linkSeconds,
  linkTo,
  recordingsOf,
  saveObject,
  sinceOf,
} from './stored-recordings.ts';

const columns = {
  number: 'NO.',
  status: 'STATUS',
  since: 'SINCE',
  sizeBytes: 'BYTES',
  contentType: 'TYPE',
  reason: 'REASON',
  link: 'LINK',
};

export const recording = command({
  name: 'recording',
  description: 'shows what became of a call’s recordings, saves one, or prints a link to it',
  permissions: [
    on('Calls table', 'dynamodb:Query'),
    on('bucket of recordings', 's3:GetObject', 'for `--save` and `--url`'),
    unlessNamed,
  ],
  options: (command: BareCommand) =>
    command
      .addOption(accountOption)
      .addOption(new Option('--save <file>', 'save the recording in this file').conflicts('url'))
      .option('--url', `print a link that anybody can open for ${linkSeconds / 60} minutes`, false)
      .option(
        '--number <number>',
        'with --save or --url: which recording, where there are several',
        wholeNumber(1, 1_000),
      )
      .argument('<id>', 'the call, as “callfeed calls” lists it'),
  help: `Its voices are personal data: anybody with the file or the link can hear them. The link ends earlier where your credentials do.

Examples:
  $ callfeed recording 12345678901234567890
  $ callfeed recording 12345678901234567890 --save call.wav
  $ callfeed recording 12345678901234567890 --url --json | jq -r .link`,
  run: async (context, { save, url, number, json, ...options }, callId) => {
    const { terminal } = context;
    if (number !== undefined && save === undefined && !url) throw new Problem('--number needs --save or --url.', 2);
    const read = await reader(context, options);
    const found = await read.client.recordings(callId);
    if (found.length === 0) throw await nothingFound(read, callId);
    const rows = found.map((one, index) => rowOf(index + 1, one, json));
    if (save === undefined && !url) return printRows(terminal, json, columns, rows);

    const recordings = recordingsOf(read.deployment);
    if (save === undefined) {
      const links = await Promise.all(found.map((one) => (isArchived(one) ? linkTo(recordings, one) : undefined)));
      const linked = rows.map((row, index) => ({ ...row, link: links[index] }));
      if (number === undefined) return printRows(terminal, json, columns, linked);
      chosenOf(found, number);
      return printRows(terminal, json, columns, linked.slice(number - 1, number));
    }
    if (number === undefined && found.length > 1)
      throw new Problem(`The call has ${found.length} recordings. Name one with --number.`, 2);
    const object = chosenOf(found, number);
    await saveObject(recordings, object, save);
    if (json) printRows(terminal, true, columns, [{ ...rows[(number ?? 1) - 1], file: save }]);
    else terminal.print(printable(`${save}: ${object.sizeBytes} bytes, ${object.contentType}.`));
  },
});

/** The archived recording of a number; a problem where there is none. */
const chosenOf = (all: readonly Recording[], number = 1): ArchivedObject => {
  const found = all[number - 1];
  if (found === undefined) throw new Problem(`The call has ${all.length} recordings, and none with this number.`, 2);
  if (isArchived(found)) return found;
  throw new Problem(`The recording is ${found.status}${found.problem ? `: ${textOfProblem(found.problem)}` : ''}.`);
};

const nothingFound = async ({ client, account: name, deployment }: Reader, callId: string): Promise<Problem> => {
  const call = await client.call(callId);
  if (call === undefined) return noSuchCall(name, callId);
  if (!hasRecording(call)) return new Problem(noRecording);
  const rows = [...(call.call === undefined ? [] : [call.call]), ...call.participants];
  if (namedRecordings(rows).length === 0) return new Problem('The recordings of this call were erased.');
  recordingsOf(deployment);
  return new Problem(
    'The call has recordings, and none was asked for yet. Its event begins that, once it is published (docs/runbook.md#events-late). ' +
      'For a call from before recordings=archive: “callfeed archive”.',
  );
};

const rowOf = (number: number, one: Recording, isJson: boolean): TableRow => {
  const { recordingId, status, problem, sizeBytes, contentType, note, sha256, bucket, objectKey, attempts } = one;
  const reason = status === 'archived' || problem === undefined ? undefined : problem;
  const shown = { number, status, since: sinceOf(one), sizeBytes, contentType };
  const reasonText = reason && `${reason}: ${textOfProblem(reason)}`;
  if (!isJson) return { ...shown, reason: reasonText ?? (note && `${note}: ${textOfNote(note)}`) };
  return { ...shown, reason, note, recordingId, sha256, bucket, objectKey: bucket && objectKey, attempts };
};
