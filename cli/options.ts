import type { Command } from 'commander';
import * as z from 'zod';

/** The options of every command. */
export const Options = z.object({
  stack: z.string(),
  endpoint: z.string().optional(),
  region: z.string().optional(),
  profile: z.string().optional(),
  json: z.boolean().default(false),
});

/** The stack of the default stage. */
export const defaultStack = 'callfeed-prod';

/** Declares the options of every command. */
export const withOptions = (program: Command): Command =>
  program
    .option('--stack <name>', 'the stack of the deployment', defaultStack)
    .option('--endpoint <url>', 'a running sandbox instead, such as http://localhost:3000')
    .option('--region <region>', 'the region of the stack, as for the AWS CLI')
    .option('--profile <profile>', 'the profile of credentials, as for the AWS CLI')
    .option('--json', 'print one JSON object a line instead of a table');

/** The options of every command that reads an account's calls or agents. */
export const ReaderOptions = Options.extend({
  account: z.string().optional(),
  verbose: z.boolean().default(false),
  showPersonal: z.boolean().default(false),
});
export type ReaderOptions = z.infer<typeof ReaderOptions>;

/** Declares the options of a command that reads. */
export const withReaderOptions = (command: Command): Command =>
  command
    .option('--account <name>', 'the account, spelt as in the secret (default: the only one)')
    .option('--show-personal', 'show names, numbers and other personal fields (default: hidden)')
    .option('--verbose', 'print what each request to DynamoDB read, on the standard error');
