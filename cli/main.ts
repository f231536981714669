#!/usr/bin/env node
import { buffer } from 'node:stream/consumers';
import { connect } from './connection/connect.ts';
import { interruption, outputClosed } from './interruption.ts';
import { terminalOf } from './output/terminal.ts';
import { run } from './program.ts';

const { stdin, stdout, stderr, argv, env } = process;

// A closed standard error must not stop a command in the middle of its clean-up.
stderr.on('error', () => undefined);

const code = await run(argv.slice(2), {
  terminal: terminalOf(stdout, stderr, env['NO_COLOR']),
  connect,
  clock: () => new Date(),
  interruption: interruption(process),
  outputClosed: outputClosed(process),
  environment: (name) => env[name],
  readInput: () => buffer(stdin),
});
process.exitCode ??= code;
