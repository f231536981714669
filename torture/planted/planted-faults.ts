import { agentsFaults } from './agents-faults.ts';
import { callsFaults } from './calls-faults.ts';
import { inputFaults } from './input-faults.ts';
import type { PlantedFault } from './planted-fault.ts';
import { testsFaults } from './tests-faults.ts';

/** Every planted fault. */
export const plantedFaults: readonly PlantedFault[] = [...callsFaults, ...agentsFaults, ...inputFaults, ...testsFaults];
