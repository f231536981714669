import type { ComponentChildren, CSSProperties } from 'preact';

interface Span {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly text?: ComponentChildren;
  readonly class?: string | undefined;
  readonly style?: CSSProperties;
  readonly href?: string;
}

interface TrackProps {
  readonly range: readonly [from: number, to: number];
  readonly spans: readonly Span[];
  /** The least width of a span, in per cent. */
  readonly least: number;
  readonly class?: string;
  /** Says all of it where it is no more than a picture. */
  readonly label?: string;
}

/** Spans of time, in milliseconds, at their places in a range. */
export const Track = ({ range: [begin, end], spans, least, label, ...props }: TrackProps) => {
  const percent = (ms: number) => (ms / (end - begin)) * 100;
  return (
    <div class={`track ${props.class ?? ''}`} {...(label !== undefined && { role: 'img', 'aria-label': label })}>
      {spans.map(({ from, to, title, text, style, href, ...span }) => {
        const Tag = href === undefined ? 'i' : 'a';
        const place = { left: `${percent(from - begin)}%`, width: `${Math.max(least, percent(to - from))}%` };
        return (
          <Tag
            key={`${span.class} ${from}`}
            href={href}
            class={span.class}
            title={title}
            style={{ ...style, ...place }}
          >
            {text}
          </Tag>
        );
      })}
    </div>
  );
};

export const Scale = ({ from, to }: { readonly from: string; readonly to: string }) => (
  <p class="faint scale">
    <span>{from}</span>
    <span>{to}</span>
  </p>
);
