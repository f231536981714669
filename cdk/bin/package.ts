import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, Stack } from 'aws-cdk-lib';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { type FunctionName, timeoutSeconds } from '../../functions/timeouts.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { bundleFolder, functionCode } from '../constructs/function-code.ts';

/** Adds the bundle of every function to the built package. CDK makes them as for a deployment, so the bytes are the same. */
const bundleFunctions = (builtPackage: string): void => {
  mapValues(timeoutSeconds, (_seconds, name) => bundleFunction(name, join(builtPackage, bundleFolder(name))));
};

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

/** Adds the SQL of the analytics to the built package, where the program that reads it looks for it. */
const copySql = (builtPackage: string): void => {
  const folder = 'functions/transform-events/questions';
  const source = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  cpSync(source, join(builtPackage, folder), { recursive: true });
};

// TypeScript has compiled into this folder before; see the script `build`.
const builtPackage = fileURLToPath(new URL('../../dist', import.meta.url));
copySql(builtPackage);
bundleFunctions(builtPackage);
