import { Fragment } from 'preact';

/** An email address, a URL or the name of an event. A narrow column breaks it after a dot, `@` or `/` first. */
export const Breakable = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(?<=[.@/])(?!\/)/).map((part, n) => (
      <Fragment key={n}>
        {n > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
);
