import { deployStage } from './callfeed-stack.ts';

// The app of an installation from the package: `callfeed init` writes a cdk.json that names it.
deployStage();
