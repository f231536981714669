import { describe, expect, it } from 'vitest';
import { cpuSeconds, cpuSecondsIn } from '../../../torture/sandbox/cpu-seconds.ts';
import { processes, processesIn, treeOf } from '../../../torture/sandbox/processes.ts';

const output = `
    1     0 Ss   /sbin/init
   10     1 Sl   node guard.ts java -jar x.jar
   11    10 R+   java -jar x.jar
   12    11 Z    [java] <defunct>
   20     1 S    bash
`;

describe('processesIn', () => {
  it('reads rows of ps, without those that are dead already', () => {
    expect(processesIn(output).map(({ pid }) => pid)).toEqual([1, 10, 11, 20]);
    expect(processesIn(output)[2]).toEqual({ pid: 11, parent: 10, command: 'java -jar x.jar' });
  });
});

describe('treeOf', () => {
  it('is a process with all that descend from it', () => {
    expect(treeOf(10, processesIn(output)).map(({ pid }) => pid)).toEqual([10, 11]);
    expect(treeOf(99, processesIn(output))).toEqual([]);
  });
});

describe('processes', () => {
  it('has the one that asks', async () => {
    expect((await processes()).map(({ pid }) => pid)).toContain(process.pid);
  });
});

describe('cpuSecondsIn', () => {
  it('adds what the process itself and the kernel did for it, whatever the command is called', () => {
    expect(cpuSecondsIn('42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 7 7 20 0 1 0 300 1000 10')).toBe(3);
  });
});

describe('cpuSeconds', () => {
  it('is 0 of a process that is not there', async () => {
    expect(await cpuSeconds(-1)).toBe(0);
  });
});
