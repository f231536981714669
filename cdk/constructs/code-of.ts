import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { FunctionName } from '../../functions/timeouts.ts';
import { bundling, projectRoot } from './bundling.ts';

/** Of the built package, which is JavaScript and has its bundles with it: esbuild and sources stay behind. */
const isBuilt = import.meta.url.endsWith('.js');

/** The folder of a function's bundle in the built package, from the package's own root. */
export const bundleFolder = (name: FunctionName): string => join('bundles', name);

/** What is deployed of a function: in a checkout its sources are bundled, the built package brings the same bytes along. */
export const codeOf = (
  name: FunctionName,
): Pick<NodejsFunctionProps, 'code' | 'entry' | 'projectRoot' | 'depsLockFilePath' | 'bundling'> =>
  isBuilt
    ? { code: Code.fromAsset(join(projectRoot, bundleFolder(name))) }
    : {
        entry: join(projectRoot, 'functions', name, 'index.ts'),
        projectRoot,
        depsLockFilePath: join(projectRoot, 'package-lock.json'),
        bundling,
      };
