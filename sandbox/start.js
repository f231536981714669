// Node below 22.18 cannot read main.ts, and would print a stack trace about its file extension.
try {
  await import('./main.ts');
} catch (error) {
  if (error.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
  process.stderr.write(
    `The sandbox needs Node 24; this is ${process.versions.node}. After “npm ci”, “npm start” brings it along, but for Macs with Apple silicon.\n`,
  );
  process.exitCode = 1;
}
