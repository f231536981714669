import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { useView } from './address.ts';
import { searchOf } from './hash.ts';
import { useLive } from './live.ts';
import { Empty, Faint, Link, Loading, Time } from './parts.tsx';
import { valueText } from './words.ts';

interface RecordingListProps extends Pick<Answers['call'], 'recordings'> {
  readonly callId: string;
  /** Whether the first one plays at once. */
  readonly plays?: boolean;
}

/** What became of each recording of a call, with a player where personal data are shown. It loads nothing before it plays. */
export const RecordingList = ({ recordings, callId, plays = false }: RecordingListProps) => {
  const { account, isPersonal } = useView();
  const first = recordings.find(({ status }) => status === 'archived');
  return (
    <ul class="recordings">
      {recordings.map(({ recordingId, status, since, sizeBytes, contentType, askAgainAt, reason }) => (
        <li key={recordingId}>
          <p>
            <b>{wordText(status)}</b> <Time at={since} day />
            {status === 'archived' && <Faint>{` ${contentType}, ${valueText(sizeBytes)} bytes`}</Faint>}
            {reason !== undefined && `: ${reason}`}
            {status === 'waiting' && askAgainAt !== undefined && (
              <>
                {'; asked for again at '}
                <Time at={askAgainAt} day />
              </>
            )}
          </p>
          {status === 'archived' && isPersonal && (
            // biome-ignore lint/a11y/useMediaCaption: nobody has written down what the voices say.
            <audio
              controls
              preload="none"
              autoPlay={plays && recordingId === first?.recordingId}
              aria-label={`Recording of ${since}`}
              src={`console/api/recording?${searchOf({ account, id: callId, recording: recordingId })}`}
            />
          )}
        </li>
      ))}
    </ul>
  );
};

interface PlayerProps {
  readonly callId: string;
  readonly onClose: () => void;
}

/** Plays a call of a list at the foot of the window, so that the list stays as it is. */
export const Player = ({ callId, onClose }: PlayerProps) => {
  const live = useLive('call', { id: callId });
  const { recordings } = live.value ?? {};
  return (
    <section class="player" aria-label="Player">
      <p>
        <Link view="call" id={callId}>
          Call {callId}
        </Link>{' '}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
      <Loading live={live} what="The recordings" />
      {recordings?.length === 0 && <Empty>No recording of this call is archived yet.</Empty>}
      {recordings !== undefined && <RecordingList recordings={recordings} callId={callId} plays />}
    </section>
  );
};
