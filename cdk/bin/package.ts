import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { type FunctionName, timeoutSeconds } from '../../functions/limits.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { bundleFolder, functionCode, projectRoot } from '../constructs/function-code.ts';

/** Adds the bundle of a function to the built package. CDK makes it as for a deployment, so the bytes are the same. */
const bundleFunction = (name: FunctionName, folder: string): void => {
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-bundle-'));
  const app = new App({ outdir });
  new NodejsFunction(new Stack(app, 'Bundle'), name, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    ...functionCode(name),
  });
  app.synth();
  for (const asset of readdirSync(outdir).filter((file) => file.startsWith('asset.')))
    cpSync(join(outdir, asset), folder, { recursive: true });
  rmSync(outdir, { recursive: true });
};

// TypeScript has compiled into this folder before; see the script `build`.
const builtPackage = join(projectRoot, 'dist');
for (const name of keysOf(timeoutSeconds)) bundleFunction(name, join(builtPackage, bundleFolder(name)));

// The program that reads the SQL of the analytics looks for it there.
const questions = 'functions/transform-events/questions.sql';
cpSync(join(projectRoot, questions), join(builtPackage, questions));
