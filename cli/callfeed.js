#!/usr/bin/env node
import { existsSync } from 'node:fs';

/** Older ones cannot parse long numbers without losing digits. */
const oldestNode = 22;

// A checkout runs its sources, built or not. Node takes no TypeScript below node_modules, so a package has it built.
const [source, built] = ['./main.ts', '../dist/cli/main.js'];

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(`callfeed needs Node ${oldestNode} or later; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else await import(existsSync(new URL(source, import.meta.url)) ? source : built);
