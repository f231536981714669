import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** What every resource of a deployment has in common. */
export interface Standards {
  /** Tells the metrics of one deployment from those of another in the same AWS account. */
  readonly deployment: string;
  /** Encrypts what is kept; none: the keys that AWS owns do. */
  readonly encryptionKey: IKey | undefined;
  /** Whether what holds data refuses to be deleted, and outlives the stack. */
  readonly isProtected: boolean;
  readonly logRetention: RetentionDays;
  readonly isTraced: boolean;
}

/** What becomes of a resource that holds data when the stack no longer has it. */
export const keptData = ({ isProtected }: Standards): RemovalPolicy =>
  isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
