import type { Command } from 'commander';
import * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';
import type { RunContext } from '../context.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { Options } from '../options.ts';
import { printable, printableJson } from '../output/printable.ts';
import { Problem } from '../problem.ts';
import { callbackText } from '../send/callback-text.ts';
import { postCallback } from '../send/post-callback.ts';

const SendOptions = Options.extend({
  secretFromEnv: z.string().optional(),
  asIs: z.boolean().default(false),
  timeout: z.int(),
});
type Asked = z.infer<typeof SendOptions> & { readonly file: string };

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

const post = async (context: RunContext, asked: Asked): Promise<void> => {
  const { terminal } = context;
  const secret = asked.secretFromEnv === undefined ? undefined : context.environment(asked.secretFromEnv);
  if (asked.secretFromEnv !== undefined && !secret)
    throw new Problem(`The environment has no variable ${printable(asked.secretFromEnv)}, or it is empty.`, 2);

  const text = await callbackText(asked, context.readInput);
  const address = (await context.connect(asked)).callbackAddress(secret);
  if (address.includes('{secret}'))
    throw new Problem('This sandbox has a callback secret: say with --secret-from-env which variable holds it.', 2);
  const reply = await postCallback(address, text, asked.timeout);

  const told = secret === undefined ? reply.text : reply.text.replaceAll(secret, '***');
  if (asked.json) terminal.print(printableJson({ status: reply.status, reply: parsed(told) ?? told }));
  else terminal.print(printable(`${reply.status} ${told}`, true));
  context.ends(reply.status === 200 ? 0 : 1);
};
