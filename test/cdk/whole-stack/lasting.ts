import { type Resource, resourcesOf } from '../support/resources.ts';
import { plain, propertiesOf } from '../support/template.ts';
import { findingsAt, type StackRule } from './rule.ts';

const fortnight = 14 * 86_400;

/** A replay brings what is in it again, so it goes with the stack though it is kept as long as data. */
const replayed = ['AnalyticsUndelivered'];

/** Whether a resource holds data of the deployment. Logs, copies of events and messages that are soon worthless are none. */
const holdsData = (id: string, { Type, Properties }: Resource): boolean =>
  /^AWS::(?:DynamoDB::GlobalTable|S3::Bucket|SecretsManager::Secret)$/.test(Type) ||
  (Type === 'AWS::SQS::Queue' && Properties?.['MessageRetentionPeriod'] === fortnight && !replayed.includes(plain(id)));

/** A table that is protected from deletion cannot be deleted after a failed first deployment either. */
const keptBy = ({ Type }: Resource): string =>
  Type === 'AWS::DynamoDB::GlobalTable' ? 'Retain' : 'RetainExceptOnCreate';

export const dataOutlivesAProtectedStack: StackRule = ({ stack, template }) =>
  findingsAt(Object.entries(resourcesOf(template)), ([id, resource]) => {
    const { DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' } = resource;
    const isKept = stack.terminationProtection && holdsData(id, resource);
    const expected = isKept ? [keptBy(resource), 'Retain'] : ['Delete', 'Delete'];
    return DeletionPolicy === expected[0] && UpdateReplacePolicy === expected[1]
      ? undefined
      : `${plain(id)} has ${DeletionPolicy} and ${UpdateReplacePolicy} for ${expected.join(' and ')}`;
  });

/** CloudFormation passes a stack's tags to all else. */
export const tablesHaveTheTags: StackRule = ({ stack, template }) => {
  const tags = Object.entries(stack.tags.tagValues()).map(([Key, Value]) => ({ Key, Value }));
  return findingsAt(Object.entries(propertiesOf(template, 'AWS::DynamoDB::GlobalTable')), ([id, { Replicas }]) =>
    JSON.stringify(Replicas.map(({ Tags }: { readonly Tags?: unknown }) => Tags)) === JSON.stringify([tags])
      ? undefined
      : `${plain(id)} lacks the tags of the stack`,
  );
};

export const bucketsForget: StackRule = ({ template }) =>
  findingsAt(Object.entries(propertiesOf(template, 'AWS::S3::Bucket')), ([id, { LifecycleConfiguration }]) => {
    const rules: readonly Readonly<Record<string, unknown>>[] = LifecycleConfiguration?.Rules ?? [];
    const isWhole =
      rules.length > 0 &&
      rules.every(
        ({ Status, ExpirationInDays, AbortIncompleteMultipartUpload: abandoned }) =>
          Status === 'Enabled' && Number(ExpirationInDays) > 0 && Object(abandoned).DaysAfterInitiation === 1,
      );
    return isWhole ? undefined : `${plain(id)} keeps objects for ever, or what is left of an upload`;
  });
