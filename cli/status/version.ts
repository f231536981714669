import { type BareCommand, command, type GlobalOptions, type RunContext } from '../frame/command.ts';
import { problemOf } from '../frame/problem.ts';
import { printResult } from '../frame/table.ts';
import { ownVersion, unnamedVersion } from '../frame/version-fit.ts';

const show = async ({ connect, terminal }: RunContext, options: GlobalOptions): Promise<void> => {
  const print = (deployed?: string) => {
    const lines = [`callfeed ${ownVersion}`, deployed && `${options.endpoint ?? options.stack} ${deployed}`];
    const json = { callfeed: ownVersion, deployment: deployed ?? null };
    printResult(terminal, options.json, json, lines.filter(Boolean).join('\n'));
  };
  try {
    const deployment = await connect(options);
    print(deployment.version ?? unnamedVersion);
  } catch (error) {
    print();
    terminal.note(`The version of the deployment is not known. ${problemOf(error).message}`);
  }
};

export const version = command({
  name: 'version',
  description: 'prints the version of this command line, and of the deployment (also --version)',
  permissions: [],
  options: (command: BareCommand) => command.allowExcessArguments(),
  help: 'Without a deployment it prints its own version, and says on standard error why.',
  run: show,
});
