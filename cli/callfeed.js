#!/usr/bin/env node
import { existsSync } from 'node:fs';

/** Version 20 loses digits of long numbers when it parses JSON; packages that this one uses need 22.12. */
const oldestNode = [22, 12];

// A checkout runs its sources, built or not. Node runs no TypeScript below node_modules, so the package has a build.
const [source, built] = ['./main.ts', '../dist/cli/main.js'];

const [major, minor] = process.versions.node.split('.').map(Number);
const [oldestMajor, oldestMinor] = oldestNode;

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(`callfeed needs Node ${oldestNode.join('.')} or later; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else await import(existsSync(new URL(source, import.meta.url)) ? source : built);
