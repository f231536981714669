import { App } from 'aws-cdk-lib';
import { CallfeedStack } from './callfeed-stack.ts';
import { settingsFrom } from './config.ts';

const app = new App({ autoSynth: false });
const settings = settingsFrom(app.node.getAllContext());

if (settings.ok) {
  new CallfeedStack(app, settings.value);
  app.synth();
} else {
  process.stderr.write(`${settings.problem.join('\n')}\n`);
  process.exitCode = 1;
}
