import { App } from 'aws-cdk-lib';
import cdkJson from '../cdk.json' with { type: 'json' };
import { CallfeedStack } from './callfeed-stack.ts';
import { readSettings } from './settings/read-settings.ts';

/**
 * The app of one stage: its settings come from `callfeed.json` and the command line. Prints a sentence for each invalid
 * setting instead of synthesising, and ends with 1.
 * @param addChecks adds checks of the templates before they are synthesised
 */
export const deployStage = (addChecks: (app: App) => void = () => undefined): void => {
  // An installation from the package has a cdk.json of its own: CDK's feature flags must be the ones that were tested.
  const app = new App({ autoSynth: false, context: cdkJson.context });
  const settings = readSettings(app.node.getAllContext());

  if (settings.ok) {
    new CallfeedStack(app, settings.value);
    addChecks(app);
    app.synth();
  } else {
    process.stderr.write(`${settings.problem.join('\n')}\n`);
    process.exitCode = 1;
  }
};
