import type { Fault, FaultName } from '../../sandbox/faults/fault.ts';
import type { SandboxChild } from '../sandbox/sandbox-child.ts';

/** Puts a fault in force, or lifts it. */
export const setFault = async (
  { addresses }: Pick<SandboxChild, 'addresses'>,
  name: FaultName,
  fault: Fault,
): Promise<void> => {
  const answer = await fetch(`${addresses.faults}/${name}`, { method: 'PUT', body: JSON.stringify(fault) });
  if (!answer.ok) throw new Error(`The sandbox refused a fault: ${await answer.text()}`);
};
