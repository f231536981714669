/** A policy of identities: only statements that allow. */
export interface Policy {
  readonly Statement: readonly Statement[];
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

interface Request {
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, string>>;
}

/** Whether a policy allows this. `*` as the resource is what an action sends that accepts no resource. */
export const allows = ({ Statement }: Policy, { action, resource, context }: Request): boolean =>
  Statement.some(
    ({ Effect, Action, Resource, Condition = {} }) =>
      Effect === 'Allow' &&
      [Action].flat().some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      [Resource].flat().some((pattern) => matches(pattern, resource)) &&
      Object.entries(Condition).every(([operator, keys]) =>
        Object.entries(keys).every(([key, values]) => holds(operator, [values].flat(), context[key])),
      ),
  );

const matches = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`).test(text);

const holds = (operator: string, values: readonly string[], given: string | undefined): boolean => {
  if (given === undefined) return false;
  if (operator === 'StringEquals' || operator === 'Bool') return values.includes(given);
  if (operator === 'StringLike' || operator === 'ArnLike') return values.some((pattern) => matches(pattern, given));
  throw new Error(`The condition ${operator} is not known here`);
};
