import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { own } from './metrics.ts';
import type { Watched } from './watched.ts';

// FILL is for what has had values before and has none in a period. What makes a condition true has its counterparts
// emitted with it, as zeros: nothing here stands on how CloudWatch fills in a metric of which it knows no value.

/**
 * 1 where posts came in and none of them was taken, else 0. Of what the service posts beside calls it takes more, as that
 * comes in quiet hours as well.
 */
export const allRefused = (watched: Watched): MathExpression =>
  new MathExpression({
    expression:
      'IF((FILL(refused, 0) >= 3 OR FILL(ofOtherKinds, 0) >= 30) AND ' +
      'FILL(stored, 0) + FILL(duplicates, 0) + FILL(parked, 0) < 1, 1, 0)',
    usingMetrics: {
      refused: own(watched, 'CallbacksRefused'),
      ofOtherKinds: own(watched, 'CallbacksOfOtherKinds'),
      stored: own(watched, 'CallbackRecordsStored'),
      duplicates: own(watched, 'CallbackRecordsDuplicate'),
      parked: own(watched, 'CallbackRecordsParked'),
    },
    label: 'Every callback refused',
    period: Duration.minutes(60),
  });

/** 1 where rows were written and no event followed, else 0. A few may be deliveries that change nothing. */
export const nonePublished = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(written, 0) >= 5 AND FILL(published, 0) < 1, 1, 0)',
    usingMetrics: {
      written: own(watched, 'ChangesWritten'),
      published: own(watched, 'EventsPublished'),
    },
    label: 'Nothing published',
    period: Duration.minutes(15),
  });

/** 1 where polls were due and none brought an answer, else 0. After a refused key most are passed over, not failed. */
export const allPollsFailed = (watched: Watched): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(failed, 0) + FILL(passedOver, 0) >= 5 AND FILL(answered, 0) < 1, 1, 0)',
    usingMetrics: {
      failed: own(watched, 'PollsFailed'),
      passedOver: own(watched, 'PollsPassedOver'),
      answered: own(watched, 'PollsAnswered'),
    },
    label: 'Every poll failed',
    period: Duration.minutes(5),
  });
