import { startSimulator } from '../../../../sandbox/simulator/index.ts';
import { account } from './calls.ts';

/** A process with a busy simulator and nothing else in it; it ends if, and only if, the simulator leaves nothing. */
const [callbackUrl = ''] = process.argv.slice(2);
const simulator = await startSimulator({ port: 0, callbackUrl, account, traffic: true, callsPerMinute: 600 });

process.once('SIGTERM', () => simulator.stop());
process.stdout.write(simulator.url);
