/**
 * Runs a bundle as Lambda's own runtime does: loads the handler that the environment names, then asks the Runtime API for
 * one piece of work after the other. Plain JavaScript, so that no time goes into anything but the bundle. With each answer
 * it tells what the process has taken so far.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

// As Lambda's own runtime loads what it uses and what it runs. An import would load all that `node:http` can give, and
// hide whom that costs time.
const require = createRequire(import.meta.url);
const { request } = require('node:http');

const { AWS_LAMBDA_RUNTIME_API: api, LAMBDA_TASK_ROOT: root, _HANDLER: name } = process.env;
const [file, exported] = name.split('.');

const ask = (method, path, body) =>
  new Promise((resolve, reject) => {
    const { user, system } = process.cpuUsage();
    const headers = { 'x-cpu-us': user + system, 'x-rss-bytes': process.memoryUsage.rss() };
    request(`http://${api}/2018-06-01/runtime/${path}`, { method, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ headers: response.headers, text: Buffer.concat(chunks).toString() }));
    })
      .once('error', reject)
      .end(body);
  });

const faultOf = (error) =>
  JSON.stringify({
    errorType: error instanceof Error ? error.name : typeof error,
    errorMessage: error instanceof Error ? error.message : String(error),
  });

const load = async () => {
  try {
    return require(join(root, `${file}.js`))[exported];
  } catch (error) {
    await ask('POST', 'init/error', faultOf(error));
    throw error;
  }
};

const handler = await load();
for (;;) {
  const { headers, text } = await ask('GET', 'invocation/next');
  const id = headers['lambda-runtime-aws-request-id'];
  const deadlineMs = Number(headers['lambda-runtime-deadline-ms']);
  const context = {
    awsRequestId: id,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: '$LATEST',
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    memoryLimitInMB: '512',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  };
  try {
    const result = await handler(JSON.parse(text), context);
    await ask('POST', `invocation/${id}/response`, JSON.stringify(result ?? null));
  } catch (error) {
    await ask('POST', `invocation/${id}/error`, faultOf(error));
  }
}
