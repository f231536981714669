import { execFileSync } from 'node:child_process';

/** The programs that commands name here: each prints its name and arguments, with their number in front. */
const programs = ['npx', 'aws', 'curl', 'npm'];
const standIns = programs.map((name) => `${name}() { printf '%s\\0' $(($# + 1)) ${name} "$@"; }`);

/** What bash gives to a program for each line. It expands its history, as it does for people, and finds no other program. */
export const inBash = (lines: readonly string[]): readonly (readonly string[])[] => {
  const input = ['set -o history -H', ...standIns, ...lines, ''].join('\n');
  const printed = execFileSync('/bin/bash', ['--noprofile', '--norc'], { input, env: { PATH: '', LC_ALL: 'C' } });
  const words = printed.toString().split('\0').slice(0, -1);
  const commands: (readonly string[])[] = [];
  for (let at = 0; at < words.length; ) {
    const end = at + 1 + Number(words[at]);
    commands.push(words.slice(at + 1, end));
    at = end;
  }
  return commands;
};
