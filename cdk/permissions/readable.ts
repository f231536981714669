import { CfnElement, type Stack } from 'aws-cdk-lib';
import * as z from 'zod';
import { placeOf } from './place-of.ts';

const Reference = z.union([
  z.strictObject({ Ref: z.string() }).transform(({ Ref }) => [Ref, 'Ref'] as const),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).transform((value) => value['Fn::GetAtt']),
]);
const Join = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

/** Says what a resource is called in the source: `Calls` for its ARN, `Calls (StreamArn)` for another attribute. */
export const readableIn = (stack: Stack): ((value: unknown) => string) => {
  const elements = stack.node.findAll().filter((construct) => CfnElement.isCfnElement(construct));
  const names = new Map(
    elements.map((element) => [stack.getLogicalId(element), placeOf(element).replace(/\/Resource$/, '')]),
  );

  const readable = (value: unknown): string => {
    const resolved: unknown = stack.resolve(value);
    if (typeof resolved === 'string') return resolved;

    const joined = Join.safeParse(resolved).data?.['Fn::Join'];
    if (joined) return joined[1].map(readable).join(joined[0]);

    const [id, attribute] = Reference.parse(resolved);
    const name = names.get(id) ?? id;
    return attribute === 'Arn' || attribute === 'Ref' ? name : `${name} (${attribute})`;
  };
  return readable;
};
