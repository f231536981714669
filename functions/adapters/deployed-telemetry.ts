import { type BufferedTelemetry, jsonTelemetry } from './json-telemetry.ts';

/** The telemetry of a deployed function, of which Lambda keeps whatever it writes to standard output. */
export const deployedTelemetry = (name: string, { DEPLOYMENT }: { readonly DEPLOYMENT: string }): BufferedTelemetry =>
  jsonTelemetry({ function: name, deployment: DEPLOYMENT }, (line) => process.stdout.write(line));
