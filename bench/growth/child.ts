import { complain, print } from '../../sandbox/cli/output.ts';
import { cpuGauge } from './gauges/cpu-gauge.ts';
import { heapGauge } from './gauges/heap-gauge.ts';
import { Quantity, type Reading } from './readings.ts';
import { startStandIn } from './stand-in/start-stand-in.ts';
import { deliveries } from './subjects/deliveries.ts';
import { polls } from './subjects/polls.ts';
import { records } from './subjects/records.ts';

const [quantity, rounds, ...asked] = process.argv.slice(2);
const gauge = Quantity.parse(quantity) === 'time' ? cpuGauge : heapGauge();
const standIn = startStandIn(gauge.onWait);
const all = [polls(standIn, gauge.onWait), deliveries(standIn), records(standIn)];
const subjects = all.filter(({ name }) => asked.includes(name));
const readings: Reading[] = [];

// The first round warms up. Every other one visits all sizes, so that a busy minute meets all of them.
for (let round = 0; round <= Number(rounds); round++)
  for (const { name: subject, counted, base, sizes, visit } of subjects) {
    complain(`${quantity}: ${subject}, round ${round} of ${rounds}`);
    const order = round % 2 === 0 ? sizes : sizes.toReversed();
    for (const size of order)
      await visit(size, async (work, piece) => {
        const value = await gauge.measure(piece);
        if (round > 0) readings.push({ subject, counted, base, work, size, round, value });
      });
  }

await standIn.stop();
print(JSON.stringify(readings));
