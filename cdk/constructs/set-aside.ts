import { CfnElement, Duration, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';
import { keptData, type Standards } from './standards.ts';

/** How long changes that were never published are kept: for as long as a dead letter in a queue could be, twice. */
const keptDays = 28;

/**
 * Where changes of rows are set aside that could not be published while the stream still had them. A bucket, as Lambda
 * hands over the rows themselves to no other destination; a queue gets no more than their place in a stream that is gone.
 */
export const setAside = (scope: Construct, id: string, standards: Standards): Bucket => {
  const { encryptionKey } = standards;
  const bucket = new Bucket(scope, id, {
    ...(encryptionKey
      ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    lifecycleRules: [{ expiration: Duration.days(keptDays), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    removalPolicy: keptData(standards),
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Only Lambda writes here, and only after a day of outage; whoever reads it does so as a person, in CloudTrail.',
  });

  return bucket;
};

/** The rights that setting aside takes: Lambda writes in the name of the function whose changes they are. */
export const allowSettingAside = (publisher: ServiceFunction, { bucketArn, node, stack }: Bucket): void => {
  const why = 'Sets aside the changes that could not be published for a day.';
  publisher.allow(bucketArn, why, 's3:ListBucket');
  publisher.allow(`${bucketArn}/*`, why, 's3:PutObject');

  const logicalId = CfnElement.isCfnElement(node.defaultChild) ? stack.getLogicalId(node.defaultChild) : '';
  Validations.of(publisher).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/*]`,
    reason: 'Lambda names the objects that it writes for the function; the bucket holds nothing else.',
  });
};
