import { announcement } from './cli/announcement.ts';
import { type CliOptions, optionsFrom, usage } from './cli/options.ts';
import { firstSignal, print, printError } from './cli/terminal.ts';
import { startSandbox } from './sandbox.ts';

const run = async (options: CliOptions): Promise<number> => {
  const log = options.quiet ? () => undefined : print;
  const logOutput = (name: string, text: string): void => log(`${name}: ${text.trimEnd()}`);
  const signalled = firstSignal();

  const starting = startSandbox({ ...options, onLog: log, onFunctionOutput: options.verbose ? logOutput : undefined });
  const sandbox = await Promise.race([starting, signalled]);
  if (sandbox === 'stopped') return 0;
  log(announcement(sandbox, options, new Date()));

  const end = await Promise.race([signalled, sandbox.ended]);
  if (end === 'stopped') log('Stopping.');
  else printError('DynamoDB Local ended unexpectedly, so the sandbox stops.');
  await sandbox.stop();
  return end === 'stopped' ? 0 : 1;
};

const start = async (): Promise<number> => {
  const options = optionsFrom(process.argv.slice(2), process.env);
  if (!options.ok) {
    printError(options.problem);
    return 2;
  }
  if (options.value.help) {
    print(usage);
    return 0;
  }
  return await run(options.value);
};

try {
  process.exit(await start());
} catch (error) {
  printError(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
