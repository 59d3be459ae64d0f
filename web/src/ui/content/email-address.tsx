import { Fragment } from 'react'

/** A text in which email addresses may break after the `@`. */
export function EmailAddress({ children }: { children: string }) {
  return children.split(/(?<=@)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
