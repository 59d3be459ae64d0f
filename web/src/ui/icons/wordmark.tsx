/** The logo: an arch with a door ajar. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 28 28" className="logo shrink-0">
      <path d="M3 27V13a11 11 0 0 1 22 0v14z" className="fill-mark" />
      <path d="M6 27V13a8 8 0 0 1 16 0v14z" fill="#f9bb51" />
      <path d="M6 27V13a8 8 0 0 1 8-8c2.6 1.800 3.500 5 3.500 9V27z" fill="#00807c" />
      <circle cx="14.6" cy="16.500" r="1" fill="#fff0d0" />
    </svg>
  )
}

/** Logo and name. The name is never translated. A style sheet of the installation may replace the logo. */
export function Wordmark({ name = 'Vrata' }: { name?: string }) {
  return (
    <span className="flex w-fit items-center gap-2.5 text-title font-heading wrap-anywhere tracking-heading">
      <Logo />
      {name}
    </span>
  )
}
