import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { deployStage } from './callfeed-stack.ts';

// The app of a checkout. The package's is installed-app.ts, which does without cdk-nag.
deployStage((app) => Validations.of(app).addPlugins(new AwsSolutionsChecks(app)));
