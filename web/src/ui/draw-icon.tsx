import type { ReactNode } from 'react'

/** Every icon is decoration beside words: hidden from assistive technology, drawn in the colour of the text. */
export type IconProps = { size?: number; className?: string }
export type Icon = (props: IconProps) => ReactNode

/** An icon of one path, in a square of 24. */
export function draw(path: string): Icon {
  return function DrawnIcon({ size = 20, className }) {
    return (
      <svg
        aria-hidden="true"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={className ? `shrink-0 ${className}` : 'shrink-0'}
      >
        <path d={path} />
      </svg>
    )
  }
}
