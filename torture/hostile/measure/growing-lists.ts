import { specificationParticipant } from '../../../test/fixtures/participants.ts';
import { type GrowingPost, jsonPost as json } from './growing-post.ts';

/** Lists of records grow by what a post may hold of them: each is a write. */
export const growingLists: readonly GrowingPost[] = [
  {
    name: 'records of different calls',
    of: (count) =>
      json(
        JSON.stringify(
          Array.from({ length: count }, (_, index) => ({
            monitorUCID: String(index),
            Status: 'Answered',
            Apikey: 'demo-key',
          })),
        ),
      ),
  },
  {
    name: 'records of one call',
    // Each is weighed against all before it; a post may hold 500.
    mostExponent: 2.2,
    of: (count) =>
      json(
        JSON.stringify(
          Array.from({ length: count }, (_, index) => ({
            monitorUCID: '1',
            Status: 'Answered',
            Apikey: 'demo-key',
            Comments: `c${index}`,
          })),
        ),
      ),
  },
  {
    name: 'participants',
    of: (count) =>
      json(
        JSON.stringify([
          { monitorUCID: '1', Status: 'Answered', Apikey: 'demo-key' },
          ...Array.from({ length: count }, (_, index) => ({ ...specificationParticipant, CallID: index })),
        ]),
      ),
  },
  {
    name: 'records that are none',
    of: (count) =>
      json(
        JSON.stringify([
          { monitorUCID: '1', Status: 'Answered', Apikey: 'demo-key' },
          ...Array.from({ length: count }, (_, index) => index),
        ]),
      ),
  },
];
