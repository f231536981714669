import { execFile } from 'node:child_process';

/** What MiniStack is written for, and the example readers. */
const oldest = { major: 3, minor: 10 };

const install = `Install Python ${oldest.major}.${oldest.minor} or newer with its module venv, for example
  Debian, Ubuntu   sudo apt-get install python3 python3-venv
  Fedora           sudo dnf install python3
  macOS            brew install python
and run this again.`;

/** Whether `python3 --version` tells of a version that is new enough. */
export const isNewEnough = (told: string): boolean => {
  const [, major = 0, minor = 0] = /^Python (\d+)\.(\d+)/.exec(told) ?? [];

  return Number(major) === oldest.major && Number(minor) >= oldest.minor;
};

const versionOf = (command: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(command, ['--version'], { timeout: 20_000 }, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ''),
    );
  });

/** The command that runs Python. Rejects with what to install where there is none, or an old one, and with what for. */
export const findPython = async (purpose: string, command = 'python3'): Promise<string> => {
  const version = await versionOf(command);
  if (isNewEnough(version)) return command;

  const reason = version === '' ? 'no python3 was found' : `python3 is ${version}`;
  throw new Error(`${purpose}, but ${reason}.\n${install}`);
};
