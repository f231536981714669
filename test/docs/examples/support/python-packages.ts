import { dirname } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createClosers } from '../../../../sandbox/closers.ts';
import { virtualEnvironment } from '../../../end-to-end/deployed/python-environment.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of `python` with boto3 and sqlglot, and of `aws`, `cfn-lint` and `parliament`. */
    readonly pythonPrograms: string;
  }
}

const packages = {
  name: 'callfeed-examples',
  purpose:
    'The pages need Python for boto3 and for the AWS CLI, the static checks for cfn-lint and parliament, and the questions for sqlglot',
  requirements: [
    'docs/examples/python-subscriber/requirements.txt',
    'test/docs/requirements.txt',
    'test/cdk/static-checks/requirements.txt',
    'test/analytics/requirements.txt',
  ],
};

/** For vitest's `globalSetup`. Installs the packages unless an earlier run has done so. */
export const setup = async (project: Pick<TestProject, 'provide'>): Promise<void> => {
  const closers = createClosers();
  try {
    project.provide('pythonPrograms', dirname(await virtualEnvironment(packages, closers)));
  } finally {
    await closers.closeAll();
  }
};
