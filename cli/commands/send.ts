import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import * as z from 'zod';
import { rejectionResponses } from '../../lib/callback/rejections.ts';
import { parseJson, tryParseJson } from '../../lib/core/parse-json.ts';
import { wholeNumber } from '../arguments.ts';
import type { RunContext } from '../context.ts';
import { Options } from '../options.ts';
import { printable, printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';

/** What is wrong with a text that should be a callback's JSON, and where, without repeating anything of it. */
const jsonProblem = (text: string): string | undefined => {
  if (text.trim() === '') return rejectionResponses['data-empty'].message;
  const json = parseJson(text);
  return json.ok ? undefined : `${rejectionResponses[json.problem].message}${placeOf(text)}`;
};

const placeOf = (text: string): string => {
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

/** Where a callback is, and whether it is sent whatever it is. */
export interface CallbackSource {
  readonly file: string;
  readonly asIs: boolean;
}

const notReadable: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};

/** What a file holds, or the standard input for `-`, without a byte-order mark. */
const readCallback = async ({ file, asIs }: CallbackSource, readInput: () => Promise<Buffer>): Promise<string> => {
  const name = file === '-' ? 'The standard input' : printable(file);
  const bytes = await (file === '-' ? readInput() : readFile(file)).catch((error: NodeJS.ErrnoException) => {
    throw new Problem(`${name} cannot be read: ${notReadable[error.code ?? ''] ?? error.code}.`, 2);
  });
  const text = utf8Of(bytes);
  if (text === undefined) throw new Problem(`${name} is not UTF-8, as which it would be sent.`, 2);
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

/** What a deployment answered. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Posts a callback as the telephony service does, as the form field `data`. No error repeats the address: it may hold a secret. */
const postCallback = async (address: string, data: string, timeoutSeconds: number): Promise<Reply> => {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
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
        ? `No answer came in ${timeoutSeconds} seconds.`
        : 'The deployment cannot be reached over the network.',
    );
  }
};

const SendOptions = Options.extend({
  secretFromEnv: z.string().optional(),
  asIs: z.boolean().default(false),
  timeout: z.int(),
});
type SendRequest = z.infer<typeof SendOptions> & { readonly file: string };

/** `callfeed send FILE` */
export const send = (program: Command, context: RunContext): void => {
  const command = program
    .command('send')
    .description('posts a callback to the deployment, as the telephony service does')
    .argument('<file>', 'the JSON of a call summary, or a list; - for the standard input')
    .option('--secret-from-env <name>', 'the variable of the environment that holds the callback secret')
    .option('--as-is', 'send it though it is no JSON')
    .option('--timeout <seconds>', 'wait so long for the answer', wholeNumber(1, 300), 30)
    .addHelpText(
      'after',
      `
What is sent is stored, and published to every subscriber. Exit code 1 unless the answer is 200.

Examples:
  $ callfeed send sandbox/examples/call-summary.json --endpoint http://localhost:3000
  $ read -rs CALLFEED_SECRET && export CALLFEED_SECRET
  $ callfeed send call.json --secret-from-env CALLFEED_SECRET`,
    );
  command.action((file: string) => post(context, { ...SendOptions.parse(command.optsWithGlobals()), file }));
};

const post = async (context: RunContext, asked: SendRequest): Promise<void> => {
  const { terminal } = context;
  const secret = asked.secretFromEnv === undefined ? undefined : context.environment(asked.secretFromEnv);
  if (asked.secretFromEnv !== undefined && !secret)
    throw new Problem(`The environment has no variable ${printable(asked.secretFromEnv)}, or it is empty.`, 2);

  const text = await readCallback(asked, context.readInput);
  const address = (await context.connect(asked)).callbackAddress(secret);
  if (address.includes('{secret}'))
    throw new Problem('This sandbox has a callback secret: say with --secret-from-env which variable holds it.', 2);
  const reply = await postCallback(address, text, asked.timeout);

  const told = secret === undefined ? reply.text : reply.text.replaceAll(secret, '***');
  if (asked.json) terminal.print(printableJson({ status: reply.status, reply: tryParseJson(told) ?? told }));
  else terminal.print(printable(`${reply.status} ${told}`, true));
  context.ends(reply.status === 200 ? 0 : 1);
};
