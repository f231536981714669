import { CfnElement, type Stack } from 'aws-cdk-lib';
import * as z from 'zod';

const Reference = z.union([
  z.strictObject({ Ref: z.string() }).transform(({ Ref }) => [Ref, 'Ref'] as const),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).transform((value) => value['Fn::GetAtt']),
]);
const Join = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

/** What a resource is called in the source: `Calls` for its ARN, `Calls (StreamArn)` for another attribute. */
export const readable = (stack: Stack, value: unknown): string => {
  const resolved: unknown = stack.resolve(value);
  if (typeof resolved === 'string') return resolved;

  const joined = Join.safeParse(resolved).data?.['Fn::Join'];
  if (joined) return joined[1].map((part) => readable(stack, part)).join(joined[0]);

  const [id, attribute] = Reference.parse(resolved);
  const name = nameOf(stack, id);
  return attribute === 'Arn' || attribute === 'Ref' ? name : `${name} (${attribute})`;
};

const nameOf = (stack: Stack, logicalId: string): string => {
  const element = stack.node
    .findAll()
    .find((construct) => CfnElement.isCfnElement(construct) && stack.getLogicalId(construct) === logicalId);

  return (
    element?.node.path
      .split('/')
      .slice(2)
      .join('/')
      .replace(/\/Resource$/, '') ?? logicalId
  );
};
