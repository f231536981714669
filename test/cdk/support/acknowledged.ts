import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** A rule that is acknowledged for a construct and all below it, with the reason. */
export interface Acknowledged {
  readonly path: string;
  readonly rule: string;
  readonly reason: string;
}

/** A violation: the resource and the rule. */
export interface Finding {
  readonly path: string;
  readonly rule: string;
}

/** Every acknowledged rule in a tree, each once. */
export const acknowledgedIn = (root: IConstruct): readonly Acknowledged[] => {
  const all = root.node.findAll().flatMap(({ node: { path, metadata } }) =>
    metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries<string>(data))
      .map(([rule, reason]) => ({ path, rule: rule.replace(/^Annotation::/, ''), reason })),
  );

  return [...new Map(all.map((one) => [`${one.path} ${one.rule}`, one])).values()];
};

/** What cdk-nag would find in a tree if nothing were acknowledged. */
export const findingsIn = (root: IConstruct): readonly Finding[] => {
  const checks = new AwsSolutionsChecks();
  // cdk-nag has no option for this. If it renames the method, there are no findings, and the tests fail.
  Object.assign(checks, { isAcknowledged: () => false });

  return checks
    .validateScope(root)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({ path: constructPath, rule: ruleName })),
    );
};

/** Whether this acknowledgement covers a finding. */
export const covers = ({ path, rule }: Acknowledged, finding: Finding): boolean =>
  finding.rule === rule && (finding.path === path || finding.path.startsWith(`${path}/`));
