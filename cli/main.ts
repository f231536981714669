#!/usr/bin/env node
import { connect } from './connection/connect.ts';
import { interruption } from './interruption.ts';
import { run } from './program.ts';
import { terminalOf } from './terminal.ts';

const { stdout, stderr, argv } = process;

/** By convention, 128 and the number of SIGPIPE: whoever read the output has seen enough, and not all of it was done. */
const notReadToTheEnd = 141;

stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? notReadToTheEnd : 1));

process.exitCode = await run(argv.slice(2), {
  terminal: terminalOf(stdout, stderr, process.env['NO_COLOR']),
  connect,
  clock: () => new Date(),
  interruption,
});
