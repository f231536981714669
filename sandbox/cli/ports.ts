import { fail, ok, type Result } from '../../lib/result.ts';
import type { SandboxOptions } from '../sandbox-options.ts';

type Ports = Pick<SandboxOptions, 'port' | 'dynamodbPort' | 'providerPort'>;

const largest = 65_535;

const portFrom = (flag: string, text: string): Result<number, string> => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;

  return port <= largest
    ? ok(port)
    : fail(`--${flag} must be a whole number from 0 to ${largest}; 0 picks a free port.`);
};

/** The ports as numbers, all different where they are not 0. */
export const portsFrom = (
  texts: Readonly<Record<'port' | 'dynamodb-port' | 'provider-port', string>>,
): Result<Ports, string> => {
  const port = portFrom('port', texts.port);
  if (!port.ok) return port;
  const dynamodbPort = portFrom('dynamodb-port', texts['dynamodb-port']);
  if (!dynamodbPort.ok) return dynamodbPort;
  const providerPort = portFrom('provider-port', texts['provider-port']);
  if (!providerPort.ok) return providerPort;

  const fixed = [port.value, dynamodbPort.value, providerPort.value].filter((number) => number !== 0);
  if (new Set(fixed).size < fixed.length) return fail('--port, --dynamodb-port and --provider-port must differ.');

  return ok({ port: port.value, dynamodbPort: dynamodbPort.value, providerPort: providerPort.value });
};
