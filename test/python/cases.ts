import { specificationParticipant, specificationSummary } from '../fixtures/calls.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A post about a call of a case, in India. */
interface Post {
  readonly post: Fields | readonly Fields[];
  /** Default: five seconds after its end. */
  readonly receivedAt?: string;
}

/** Made-up calls, mostly of one customer. Their ids begin with the number of the case. */
export interface Case {
  readonly name: string;
  readonly posts: readonly Post[];
  /** What became of the missed calls by the client in TypeScript, the newest first. */
  readonly states: string;
  /** The same by the module in Python, where it differs as the page says. */
  readonly inPython?: string;
}

/** How a call of a case is posted: on its day, with its number and an id. */
interface Caller {
  readonly id: (nth: number) => string;
  readonly post: (nth: number, time: string, fields?: Fields, receivedAt?: string) => Post;
}

const day = '2026-11-20';
/** Calls that the two judge differently are apart, so that all other answers are equal as a whole. */
const dayOfDifferences = '2026-11-18';
export const days = { equal: day, different: dayOfDifferences };

const minuteLater = (time: string): string => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return `${String(hours).padStart(2, '0')}:${String(minutes + 1).padStart(2, '0')}:00`;
};

const callerOf = (at: number, on: string): Caller => {
  const id = (nth: number) => `7${String(at).padStart(3, '0')}${nth}`;
  const CallerID = `0984${7_000_000 + at * 10}`;
  return {
    id,
    post(nth, time, fields = {}, receivedAt) {
      const StartTime = `${on} ${time}:00`;
      const post = { ...specificationSummary, CallerID, monitorUCID: id(nth), UCID: id(nth), StartTime };
      return { post: { ...post, EndTime: `${on} ${minuteLater(time)}`, ...fields }, ...(receivedAt && { receivedAt }) };
    },
  };
};

const missed = {
  Status: 'NotAnswered',
  Type: 'Inbound',
  AgentStatus: 'NotAnswered',
  Duration: '00:00:00',
  AudioFile: '',
};
const manual = { Type: 'Manual' };
const inVain = { ...manual, CustomerStatus: 'not_answered', DialStatus: 'not_answered' };
const withoutAgent = { Type: 'Predictive', AgentID: '', AgentName: '', AgentStatus: 'NotDialed' };
const leg = (ucid: string, fields: Fields = {}) => ({ UCID: ucid, ...fields });

type Made = readonly [name: string, states: string, posts: (caller: Caller) => readonly Post[], inPython?: string];

const equal: readonly Made[] = [
  ['a missed call', 'open', ({ post }) => [post(1, '09:00', missed)]],
  [
    'three in a row',
    'open open open',
    ({ post }) => [post(1, '09:00', missed), post(2, '09:03', missed), post(3, '10:00', missed)],
  ],
  ['called back', 'returned', ({ post }) => [post(1, '09:00', missed), post(2, '09:40', manual)]],
  [
    'two, called back once',
    'returned returned',
    ({ post }) => [post(1, '09:00', missed), post(2, '09:10', missed), post(3, '09:40', manual)],
  ],
  [
    'called back, and missed again',
    'open returned',
    ({ post }) => [post(1, '09:00', missed), post(2, '09:10', manual), post(3, '09:40', missed)],
  ],
  ['rang again', 'rang-again', ({ post }) => [post(1, '09:00', missed), post(2, '09:20')]],
  [
    'called back by another spelling',
    'returned',
    ({ post }) => [
      post(1, '09:00', { ...missed, CallerID: '+919847111111' }),
      post(2, '09:20', { ...manual, CallerID: '00919847111111' }),
    ],
  ],
  ['a customer who did not answer', 'open', ({ post }) => [post(1, '09:00', missed), post(2, '09:20', inVain)]],
  [
    'a customer who was busy, and then answered',
    'returned',
    ({ post }) => [
      post(1, '09:00', missed),
      post(2, '09:20', { ...inVain, CustomerStatus: 'Busy' }),
      post(3, '09:30', manual),
    ],
  ],
  [
    'a call back that nobody answered',
    'open',
    ({ post }) => [post(1, '09:00', missed), post(2, '09:20', { ...manual, Status: 'NotAnswered' })],
  ],
  ['a dialler without an agent', 'open', ({ post }) => [post(1, '09:00', missed), post(2, '09:20', withoutAgent)]],
  [
    'a dialler that names no statuses of agents',
    'open',
    ({ post }) => [post(1, '09:00', missed), post(2, '09:20', { ...withoutAgent, AgentStatus: '' })],
  ],
  [
    'a dialler with an agent',
    'returned',
    ({ post }) => [post(1, '09:00', missed), post(2, '09:20', { Type: 'Progressive' })],
  ],
  [
    'a preview call that the agent ended',
    'returned',
    ({ post }) => [post(1, '09:00', missed), post(2, '09:20', { Type: 'Preview', AgentStatus: 'agent_disconnect' })],
  ],
  [
    'missed while an agent spoke with the customer',
    'returned',
    ({ post }) => [post(1, '08:30', { ...manual, EndTime: `${day} 09:05:00` }), post(2, '09:00', missed)],
  ],
  [
    'missed while the customer was in another call',
    'rang-again',
    ({ post }) => [post(1, '08:30', { EndTime: `${day} 09:05:00` }), post(2, '09:00', missed)],
  ],
  [
    'a call that began five hours before',
    'open',
    ({ post }) => [post(1, '08:30', { EndTime: `${day} 14:00:00` }), post(2, '13:30', missed)],
  ],
  ['both in the same second', 'returned', ({ post }) => [post(1, '09:00', missed), post(2, '09:00', manual)]],
  [
    'transferred to a skill',
    'continued',
    ({ post, id }) => [post(1, '09:00', missed), post(2, '09:00', { UUI: `SkillTransfer-${id(1)}~asha` })],
  ],
  [
    'transferred twice',
    'continued continued',
    ({ post, id }) => [
      post(1, '09:00', missed),
      post(2, '09:01', { ...missed, UUI: `SkillTransfer-${id(1)}~asha` }),
      post(3, '09:02', { UUI: `SkillTransfer-${id(2)}~asha` }),
    ],
  ],
  [
    'transferred, and nobody took it',
    'open open',
    ({ post, id }) => [post(1, '09:00', missed), post(2, '09:00', { ...missed, UUI: `SkillTransfer-${id(1)}~asha` })],
  ],
  [
    'transferred to an agent, with two legs',
    '',
    ({ post }) => [
      post(1, '09:00', leg('77001')),
      post(1, '09:00', leg('77002', { AgentID: 'ravi', AgentName: 'Ravi Nair', TransferType: 'Agent' })),
    ],
  ],
  [
    'a leg that nobody answered, and one that was',
    '',
    ({ post }) => [post(1, '09:00', { ...missed, ...leg('77003') }), post(1, '09:00', leg('77004'))],
  ],
  [
    'called back, with legs of which one spoke',
    'returned',
    ({ post }) => [
      post(1, '09:00', missed),
      post(2, '09:20', { ...inVain, ...leg('77005') }),
      post(2, '09:20', { ...manual, ...leg('77006') }),
    ],
  ],
  ['a number that was withheld', 'no-number', ({ post }) => [post(1, '09:00', { ...missed, CallerID: 'anonymous' })]],
  [
    'zeros for a number',
    'no-number',
    ({ post }) => [
      post(1, '09:00', { ...missed, CallerID: '0000000000' }),
      post(2, '09:10', { ...manual, CallerID: '0000000000' }),
    ],
  ],
  [
    'no number, transferred',
    'continued',
    ({ post, id }) => [
      post(1, '09:00', { ...missed, CallerID: '' }),
      post(2, '09:00', { CallerID: '', UUI: `SkillTransfer-${id(1)}~asha` }),
    ],
  ],
  [
    'a switchboard',
    'shared-number',
    ({ post }) => [
      post(1, '09:00', { ...missed, CallerID: '+912240001000' }),
      post(2, '09:10', { ...manual, CallerID: '02240001000' }),
    ],
  ],
  ['an erased customer', 'erased', ({ post }) => [post(1, '09:00', { ...missed, CallerID: 'erased' })]],
  ['no type', 'open', ({ post }) => [post(1, '09:00', { ...missed, Type: '' })]],
  [
    'a chat, a menu and a mail later',
    'open',
    ({ post }) => [
      post(1, '09:00', missed),
      post(2, '09:10', { Type: 'Chat' }),
      post(3, '09:20', { Type: 'IVR' }),
      post(4, '09:30', { Type: 'Mail' }),
    ],
  ],
  [
    'words that nobody knows',
    '',
    ({ post }) => [
      post(1, '09:00', { ...missed, Status: 'Overflown' }),
      post(2, '09:10', { ...missed, Type: 'Video' }),
    ],
  ],
  [
    'a poorer copy hours later',
    '',
    ({ post }) => [
      post(1, '09:00'),
      post(1, '09:00', { AgentID: '', Skill: '', CallDuration: '', Status: 'NotAnswered' }, `${day}T08:00:00.000Z`),
    ],
  ],
  [
    'a copy that says that it was answered',
    '',
    ({ post }) => [post(1, '09:00', missed), post(1, '09:00', {}, `${day}T08:00:00.000Z`)],
  ],
  [
    'two dispositions, one after the other',
    '',
    ({ post }) => [
      post(1, '09:00'),
      post(1, '09:00', { Disposition: 'Sale' }, `${day}T04:00:00.000Z`),
      post(1, '09:00', { Disposition: 'Call back' }, `${day}T05:00:00.000Z`),
    ],
  ],
  [
    'a conference',
    '',
    ({ post }) => [
      post(1, '09:00', {
        ConfDuration: '00:01:10',
        CallerConfAudioFile: 'https://recordings.example.com/demo/conference.mp3',
      }),
    ],
  ],
  [
    'participants',
    '',
    ({ post, id }) => [
      { post: [post(1, '09:00').post as Fields, { ...specificationParticipant, CallID: 88_002, UCID: id(1) }] },
    ],
  ],
  [
    'participants of a call that never came',
    '',
    ({ id }) => [
      { post: [{ ...specificationParticipant, Apikey: 'demo-key', UCID: id(1) }], receivedAt: `${day}T09:00:00.000Z` },
    ],
  ],
  ['recorded hours late', 'open', ({ post }) => [post(1, '09:00', missed, `${day}T12:00:00.000Z`)]],
  ['no start', 'open', ({ post }) => [post(1, '09:00', { ...missed, StartTime: '' })]],
  [
    'an id of twenty digits, and fields that nobody knows',
    'open',
    ({ post }) => [
      post(1, '09:00', {
        ...missed,
        monitorUCID: '98765432109876543210',
        Queue: { depth: 12.5, id: 7 },
        CallDuration: 12.5,
      }),
    ],
  ],
  [
    'called back a day later',
    'open',
    ({ post }) => [
      post(1, '09:00', missed),
      post(2, '09:20', { ...manual, StartTime: '2026-11-21 09:20:00', EndTime: '2026-11-21 09:25:00' }),
    ],
  ],
];

const different: readonly Made[] = [
  ['a short number', 'open', ({ post }) => [post(1, '09:00', { ...missed, CallerID: '14567' })], 'no-number'],
  [
    'two numbers in one field',
    'open',
    ({ post }) => [post(1, '09:00', { ...missed, CallerID: '09847222221 / 09847222222' })],
    'no-number',
  ],
  [
    'a mobile of Argentina with its 9 and without',
    'returned',
    ({ post }) => [
      post(1, '09:00', { ...missed, CallerID: '+5491123456789' }),
      post(2, '09:10', { ...manual, CallerID: '+541123456789' }),
    ],
    'open',
  ],
  [
    'a switchboard that somebody typed with (0)',
    'shared-number',
    ({ post }) => [post(1, '09:00', { ...missed, CallerID: '+912240002000' })],
    'open',
  ],
];

const madeOn =
  (on: string, firstAt: number) =>
  ([name, states, posts, inPython]: Made, index: number): Case => ({
    name,
    states,
    posts: posts(callerOf(firstAt + index, on)),
    ...(inPython !== undefined && { inPython }),
  });

export const cases: readonly Case[] = [...equal.map(madeOn(day, 0)), ...different.map(madeOn(dayOfDifferences, 500))];

/** As the account's owner typed them. */
export const sharedNumbers = ['022 4000 1000', '+91 (0)22 4000 2000'];

/** When a post is received, and the ids of the calls of a case. */
export const receiptOf = ({ post, receivedAt }: Post): string => {
  const [first] = [post].flat() as readonly Fields[];
  return (
    receivedAt ?? new Date(Date.parse(`${String(first?.['EndTime']).replace(' ', 'T')}+05:30`) + 5_000).toISOString()
  );
};

export const callIdsOf = ({ posts }: Case): readonly string[] => [
  ...new Set(
    posts.flatMap(({ post }) =>
      ([post].flat() as readonly Fields[]).map((one) => String(one['monitorUCID'] ?? one['UCID'])),
    ),
  ),
];
