import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unplanted, withFault } from '../../../torture/planted/planted-fault.ts';
import { plantedFaults } from '../../../torture/planted/planted-faults.ts';

const fault = { name: 'x', what: 'x', check: 'crash', file: 'lib/x.ts', find: 'await ', replace: '' } as const;

describe('a planted fault', () => {
  it('takes its place', () => {
    expect(withFault('const a = await b();', fault)).toBe('const a = b();');
  });

  it('leaves its place as it is where the check is tried without it', () => {
    expect(withFault('const a = await b();', unplanted(fault))).toBe('const a = await b();');
  });

  it.each(['const a = b();', 'await a(); await b();'])('has one place only: %s', (text) => {
    expect(() => withFault(text, fault)).toThrow(/“x” occurs [02] times? ?.*lib\/x\.ts/);
  });
});

describe('the planted faults', () => {
  it.each(plantedFaults)('$name has its place in the code', (planted) => {
    const text = readFileSync(new URL(`../../../${planted.file}`, import.meta.url), 'utf8');
    expect(withFault(text, planted)).not.toBe(text);
  });

  it('are there for each kind of check, under names of their own', () => {
    const checks = new Set(plantedFaults.map(({ check }) => check));
    expect([...checks].sort()).toEqual(['crash', 'hostile', 'load', 'mutation', 'schedules', 'soak']);
    expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(plantedFaults.length);
  });
});
