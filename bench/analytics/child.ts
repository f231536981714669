import { readFileSync } from 'node:fs';
import { createViews, openDuckDb, quoted } from '../../functions/adapters/duckdb.ts';
import { questions } from '../../functions/adapters/sql-files.ts';
import { withPeriod } from '../../lib/analytics/sql-file.ts';

/** Answers one question in a process of its own, so that its memory is that of the question. DuckDB says which columns it read. */
const [, , name, folder = '', from = '', to = '', profile = ''] = process.argv;
const sql = questions().find((one) => one.name === name)?.sql ?? '';
const connection = await openDuckDb();
const begun = performance.now();
const before = process.cpuUsage();
await createViews(connection, folder);
await connection.run(`SET enable_profiling = 'json'; SET profiling_output = ${quoted(profile)}`);
const { currentRowCount: rows } = await connection.runAndReadAll(withPeriod(sql, { from, to }));
const seconds = (performance.now() - begun) / 1_000;
const { user, system } = process.cpuUsage(before);
await connection.run('PRAGMA disable_profiling');
const plan = JSON.parse(readFileSync(profile, 'utf8'));
const peakMb = process.resourceUsage().maxRSS / 1e3;
process.stdout.write(JSON.stringify({ rows, seconds, cpuSeconds: (user + system) / 1e6, peakMb, plan }));
