import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** A finding that is accepted at a construct and below it, and why. */
export interface Acknowledged {
  readonly path: string;
  readonly rule: string;
  readonly reason: string;
}

/** What a check objects to, and at which resource. */
export interface Finding {
  readonly path: string;
  readonly rule: string;
}

/** Every finding that is accepted in a tree, each once. */
export const acknowledgedIn = (root: IConstruct): readonly Acknowledged[] => {
  const all = root.node.findAll().flatMap(({ node: { path, metadata } }) =>
    metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries<string>(data))
      .map(([rule, reason]) => ({ path, rule: rule.replace(/^Annotation::/, ''), reason })),
  );

  return [...new Map(all.map((one) => [`${one.path} ${one.rule}`, one])).values()];
};

/** What cdk-nag would say of a tree if nothing in it were accepted. */
export const findingsIn = (root: IConstruct): readonly Finding[] => {
  const checks = new AwsSolutionsChecks();
  // There is no switch for it. Should cdk-nag rename this method, there are no findings, and the tests say so.
  Object.assign(checks, { isAcknowledged: () => false });

  return checks
    .validateScope(root)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({ path: constructPath, rule: ruleName })),
    );
};

/** Whether accepting this is what keeps a finding from being one. */
export const covers = ({ path, rule }: Acknowledged, finding: Finding): boolean =>
  finding.rule === rule && (finding.path === path || finding.path.startsWith(`${path}/`));
