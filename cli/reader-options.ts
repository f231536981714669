import type { Command } from 'commander';
import * as z from 'zod';
import { Options } from './options.ts';

/** The options that every command takes which reads an account's calls or agents. */
export const ReaderOptions = Options.extend({
  account: z.string().optional(),
  verbose: z.boolean().default(false),
  showPersonal: z.boolean().default(false),
});
export type ReaderOptions = z.infer<typeof ReaderOptions>;

/** Declares them. */
export const withReaderOptions = (command: Command): Command =>
  command
    .option('--account <name>', 'of this account, spelt as in the secret (default: the only one)')
    .option('--show-personal', 'show names, numbers and the like, which are hidden otherwise')
    .option('--verbose', 'say on the standard error what each request to DynamoDB took');
