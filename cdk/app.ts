import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { CallfeedStack } from './callfeed-stack.ts';
import { readSettings } from './settings/read-settings.ts';

const app = new App({ autoSynth: false });
const settings = readSettings(app.node.getAllContext());

if (settings.ok) {
  new CallfeedStack(app, settings.value);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
} else {
  process.stderr.write(`${settings.problem.join('\n')}\n`);
  process.exitCode = 1;
}
