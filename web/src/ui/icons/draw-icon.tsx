import type { ReactNode } from 'react'

/** Icons are decorative: hidden from assistive technology, in the text color. */
export type IconProps = { size?: number; className?: string }
export type Icon = (props: IconProps) => ReactNode

/** An icon of one path in a 24 by 24 square. */
export function pathIcon(path: string): Icon {
  return function PathIcon({ size = 20, className }) {
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
