import type { Deployment } from '../../../cli/connection/deployment.ts';
import { commands } from '../../../cli/program.ts';

/** What IAM calls the requests of a transaction. */
const ofTransactions: Readonly<Record<string, readonly string[]>> = {
  TransactWriteItems: ['PutItem', 'DeleteItem'],
};

/** The actions that the command of a line declares; undefined for a former name, which declares none. */
const declaredBy = ([name = '', verb = '']: readonly string[]): readonly string[] | undefined => {
  const found = commands.find((one) => one.name === name);
  if (found === undefined || ('commands' in found && found.hidden)) return undefined;
  const isCommand = !('commands' in found);
  const declared = isCommand
    ? found
    : (found.commands.find((one) => one.name === verb) ?? found.commands.find(({ isDefault }) => isDefault));
  return declared?.permissions.flatMap(({ actions }) => actions);
};

/** Throws where a command asks for something that its permissions do not name: AWS would deny it. */
export const holdToPermissions = (args: readonly string[], deployment: Deployment): Deployment => {
  const declared = declaredBy(args);
  // A test may have a stand-in of a client, which has no middleware.
  const parts: Readonly<Record<string, Partial<Deployment['dynamodb']>>> = {
    dynamodb: deployment.dynamodb,
    sqs: deployment.sqs as never,
  };
  for (const [service, { middlewareStack }] of Object.entries(parts))
    middlewareStack?.add(
      (next, { commandName = '' }) =>
        (request) => {
          const name = commandName.replace(/Command$/, '');
          for (const action of ofTransactions[name] ?? [name])
            if (declared !== undefined && !declared.includes(`${service}:${action}`))
              throw new Error(`${args.join(' ')} uses ${service}:${action}, which its permissions do not name`);
          return next(request);
        },
      { step: 'initialize', name: 'holdToPermissions', override: true },
    );
  return deployment;
};
