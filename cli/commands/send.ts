import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { timeoutSeconds } from '../../functions/timeouts.ts';
import { rejectionResponses } from '../../lib/callback/reply.ts';
import { parseJson, tryParseJson } from '../../lib/core/json.ts';
import { wholeNumber } from '../arguments.ts';
import { argument, command, flag, type OptionsOf, text, withDefault } from '../options.ts';
import { counted } from '../output/report.ts';
import { printable, printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';

const settings = {
  file: argument('<file>', 'the JSON of a call summary, or of a list of them; - for the standard input'),
  secretFromEnv: text('<name>', 'the environment variable that holds the callback secret'),
  asIs: flag('send the file even if it is not JSON'),
  timeout: withDefault(
    '<seconds>',
    'how long to wait for the answer',
    wholeNumber(1, 300),
    timeoutSeconds['receive-callback'],
  ),
};
type SendRequest = OptionsOf<typeof settings>;

/** `callfeed send FILE` */
export const send = command({
  name: 'send',
  description: 'posts a callback to the deployment, as the telephony service does',
  settings,
  help: `The deployment stores what you send, and publishes it to every subscriber. The exit code is 1 unless the answer is
200 without a reason: what is not understood is answered 200 too, but waits in quarantine.

Examples:
  $ callfeed send sandbox/examples/call-summary.json --endpoint http://localhost:3000
  $ read -rs CALLFEED_SECRET && export CALLFEED_SECRET
  $ callfeed send call.json --secret-from-env CALLFEED_SECRET`,
  run: async (context, request) => {
    const { terminal } = context;
    const secret = request.secretFromEnv === undefined ? undefined : context.environment(request.secretFromEnv);
    if (request.secretFromEnv !== undefined && !secret)
      throw new Problem(`The environment variable ${printable(request.secretFromEnv)} is not set, or is empty.`, 2);

    const text = await readCallback(request, context.readInput);
    const address = (await context.connect(request)).callbackAddress(secret);
    if (address.includes('{secret}'))
      throw new Problem(
        'This sandbox has a callback secret: name the variable that holds it with --secret-from-env.',
        2,
      );
    terminal.progress('Waiting for the answer of the callback address …');
    const reply = await postCallback(address, text, request.timeout);

    const body = secret === undefined ? reply.text : reply.text.replaceAll(secret, '***');
    if (request.json) terminal.print(printableJson({ status: reply.status, reply: tryParseJson(body) ?? body }));
    else terminal.print(printable(`${reply.status} ${body}`, true));
    context.setExitCode(reply.status === 200 && !hasReason(reply.text) ? 0 : 1);
  },
});

const Reasoned = z.object({ reason: z.string() });

/** Whether the deployment names something in the post that it did not understand. */
const hasReason = (reply: string): boolean => Reasoned.safeParse(tryParseJson(reply)).success;

const unreadableReasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};

/** The text of a file, or of the standard input for `-`, without a byte-order mark. */
const readCallback = async (
  { file, asIs }: Pick<SendRequest, 'file' | 'asIs'>,
  readInput: () => Promise<Buffer>,
): Promise<string> => {
  const name = file === '-' ? 'The standard input' : printable(file);
  const bytes = await (file === '-' ? readInput() : readFile(file)).catch((error: NodeJS.ErrnoException) => {
    throw new Problem(`${name} cannot be read: ${unreadableReasons[error.code ?? ''] ?? error.code}.`, 2);
  });
  const text = utf8Of(bytes);
  if (text === undefined) throw new Problem(`${name} is not UTF-8, which a callback must be.`, 2);
  const problem = jsonProblem(text);
  if (problem !== undefined && !asIs) throw new Problem(`${name}: ${problem} --as-is sends it anyway.`, 2);
  return text;
};

const utf8Of = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Why the receiver would reject a text, and where it breaks. Repeats nothing of the text, which may be personal. */
const jsonProblem = (text: string): string | undefined => {
  if (text.trim() === '') return rejectionResponses['data-empty'].message;
  const json = parseJson(text);
  return json.ok ? undefined : `${rejectionResponses[json.problem].message}${locationOf(text)}`;
};

const locationOf = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
    if (line !== undefined) return ` It breaks at line ${line}, column ${column}.`;
    return /end of JSON/.test(message) ? ' It ends too early.' : '';
  }
};

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Posts the form field `data`, as the telephony service does. No error names the address, which may hold a secret. */
const postCallback = async (address: string, data: string, seconds: number): Promise<Reply> => {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    const answer = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams({ data }),
      redirect: 'manual',
      signal,
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    throw new Problem(
      signal.aborted
        ? `The callback address did not answer within ${counted(seconds, 'second')}. Send it again: nothing is stored twice.`
        : 'The callback address cannot be reached over the network.',
    );
  }
};
