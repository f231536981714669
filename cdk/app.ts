import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { CallfeedStack } from './callfeed-stack.ts';
import { withSettingsFile } from './settings/settings-file.ts';
import { settingsFrom } from './settings/settings-from.ts';

const app = new App({ autoSynth: false });
const context = withSettingsFile(app.node.getAllContext());
const settings = context.ok ? settingsFrom(context.value) : context;

if (settings.ok) {
  new CallfeedStack(app, settings.value);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
} else {
  process.stderr.write(`${settings.problem.join('\n')}\n`);
  process.exitCode = 1;
}
