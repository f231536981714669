import { print, printError } from '../../../sandbox/cli/run-command.ts';
import { cpuGauge, heapGauge } from './gauges.ts';
import { Quantity, type Reading } from './run-child.ts';
import { deliveries, polls, records } from './subjects.ts';
import { startThreadedTables } from './threaded-tables.ts';

const [quantity, rounds, ...asked] = process.argv.slice(2);
const gauge = Quantity.parse(quantity) === 'time' ? cpuGauge : heapGauge();
const tables = startThreadedTables(gauge.onWait);
const all = [polls(tables, gauge.onWait), deliveries(tables), records(tables)];
const subjects = all.filter(({ name }) => asked.includes(name));
const readings: Reading[] = [];

// The first round warms up. Every other one visits all sizes, so that a busy minute meets all of them.
for (let round = 0; round <= Number(rounds); round++)
  for (const { name: subject, counted, base, sizes, visit } of subjects) {
    printError(`${quantity}: ${subject}, round ${round} of ${rounds}`);
    const order = round % 2 === 0 ? sizes : sizes.toReversed();
    for (const size of order)
      await visit(size, async (work, piece) => {
        const value = await gauge.measure(piece);
        if (round > 0) readings.push({ subject, counted, base, work, size, round, value });
      });
  }

await tables.stop();
print(JSON.stringify(readings));
