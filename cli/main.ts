#!/usr/bin/env node
import { connect } from './connection/connect.ts';
import { interruption } from './interruption.ts';
import { run } from './program.ts';
import { terminalOf } from './terminal.ts';

const { stdout, stderr, argv } = process;

/** Whoever reads the output may have seen enough of it: `callfeed … | head`. */
stdout.on('error', () => process.exit(0));

process.exitCode = await run(argv.slice(2), {
  terminal: terminalOf(stdout, stderr, process.env['NO_COLOR']),
  connect,
  clock: () => new Date(),
  interruption,
});
