#!/usr/bin/env node
import { existsSync } from 'node:fs';

/** Older versions lose digits of long numbers when they parse JSON. */
const oldestNode = 22;

// A checkout runs its sources, built or not. Node runs no TypeScript below node_modules, so the package has a build.
const [source, built] = ['./main.ts', '../dist/cli/main.js'];

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(`callfeed needs Node ${oldestNode} or later; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else await import(existsSync(new URL(source, import.meta.url)) ? source : built);
