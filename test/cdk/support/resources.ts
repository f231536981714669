import type { Template } from 'aws-cdk-lib/assertions';
import type { Properties } from './template.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties?: Properties;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export type Resources = Readonly<Record<string, Resource>>;

/** Every resource of a template, by its logical id. */
export const resourcesOf = (template: Template): Resources => template.toJSON()['Resources'];

/** The logical ids that a value names, by a reference, an attribute, or in a text with either. */
export const idsNamedIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(idsNamedIn);
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    if (key === 'Fn::GetAtt') return [[inner].flat().join('.').split('.')[0] ?? ''];
    if (key === 'Fn::Sub') return [...JSON.stringify(inner).matchAll(/\$\{(\w+)/g)].map(([, id = '']) => id);
    return idsNamedIn(inner);
  });
};

/** The ids of all resources that CloudFormation makes before a resource: those that it names or waits for, and theirs. */
export const madeBefore = (resources: Resources): ((id: string) => ReadonlySet<string>) => {
  const direct = (id: string): readonly string[] => {
    const { Properties = {}, DependsOn = [] } = resources[id] ?? {};
    return [...idsNamedIn(Properties), ...[DependsOn].flat()].filter((named) => named in resources);
  };
  return (id) => {
    const before = new Set<string>();
    const add = (from: string): void => {
      for (const next of direct(from)) {
        if (before.has(next)) continue;
        before.add(next);
        add(next);
      }
    };
    add(id);
    return before;
  };
};
