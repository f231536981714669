/** Runs the command until standard input ends. The system closes that pipe however the parent dies, even after SIGKILL. */
import { spawn } from 'node:child_process';

const graceMilliseconds = 3_000;

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

const end = (): void => {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), graceMilliseconds);
};

child.once('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(127);
});
child.once('exit', (code) => process.exit(code ?? 1));

process.stdin.once('end', end).once('error', end).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
