/**
 * Runs a bundle as Lambda's own runtime does: loads the handler that the environment names, then asks the Runtime API for
 * one event after the other. Plain JavaScript, so that the bundle alone takes time. The headers of each request hold what
 * the process consumed so far.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

// Lambda's own runtime uses `require` too. An import would load all of `node:http`, and hide which bundle needs it.
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
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
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
