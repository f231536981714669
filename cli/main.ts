#!/usr/bin/env node
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { connect } from './frame/connect.ts';
import { interruption, outputClosed } from './frame/ending.ts';
import { terminalOf } from './frame/terminal.ts';
import { run } from './program.ts';

const { stdin, stdout, stderr, argv, env } = process;

// A closed standard error must not stop a command in the middle of its clean-up.
stderr.on('error', () => undefined);

/** Ctrl-C at the question ends the input, and the answer is empty. */
const ask = async (question: string): Promise<string> => {
  const lines = createInterface({ input: stdin, output: stderr });
  const closed = once(lines, 'close').then(() => '');
  const answer = await Promise.race([lines.question(question), closed]);
  lines.close();
  return answer;
};

const code = await run(argv.slice(2), {
  terminal: terminalOf(stdout, stderr, env['NO_COLOR']),
  connect,
  clock: () => new Date(),
  interruption: interruption(process),
  outputClosed: outputClosed(process),
  ask: stdin.isTTY && stderr.isTTY ? ask : undefined,
  readInput: () => buffer(stdin),
});
process.exitCode ??= code;
