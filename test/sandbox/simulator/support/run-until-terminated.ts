import { startSimulator } from '../../../../sandbox/simulator/index.ts';
import { account } from './calls.ts';

/** A process with only a busy simulator. After SIGTERM it ends only if the simulator leaves nothing open. */
const [callbackUrl = ''] = process.argv.slice(2);
const simulator = await startSimulator({ port: 0, callbackUrl, accounts: [account], traffic: true });
simulator.setTraffic({ callsPerMinute: 600 });

process.once('SIGTERM', () => simulator.stop());
process.stdout.write(simulator.url);
