import { onTestFinished, vi } from 'vitest';

/** What a program printed, and its exit code; undefined if it sets none. */
interface Ended {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in this process, which has loaded its modules. A process of its own takes seconds to load aws-cdk-lib. */
export const runHere = async (
  load: () => Promise<unknown>,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): Promise<Ended> => {
  const written = { stdout: '', stderr: '' };
  const { argv } = process;
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  for (const stream of ['stdout', 'stderr'] as const) {
    const write = (text: string | Uint8Array): boolean => {
      written[stream] += text;
      return true;
    };
    vi.spyOn(process[stream], 'write').mockImplementation(write);
    const methods = stream === 'stdout' ? (['log', 'info'] as const) : (['warn', 'error'] as const);
    for (const method of methods) vi.spyOn(console, method).mockImplementation(write);
  }
  const restore = (): void => {
    process.exitCode = undefined;
    process.argv = argv;
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  };
  onTestFinished(restore);

  try {
    process.argv = [process.execPath, 'program', ...args];
    vi.resetModules();
    await load();
    return { code: process.exitCode === undefined ? undefined : Number(process.exitCode), ...written };
  } finally {
    restore();
  }
};
