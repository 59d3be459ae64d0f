import { createContext, use, useState } from 'react'
import { classes } from './classes.ts'
import { AppsIcon, ArchIcon, PersonIcon } from './icons.tsx'

/** Who is pictured: people are circles, organisations arches, apps rounded squares (design.md §2). */
export type PictureKind = 'user' | 'developer' | 'app'

/** Where the API lives: `''` for this very origin, or an origin without a closing slash. */
export const MediaOrigin = createContext('')

const SHAPES = {
  user: { shape: 'rounded-full', ground: 'bg-person text-paper', Icon: PersonIcon },
  developer: { shape: 'rounded-arch', ground: 'bg-brand-soft text-brand-strong', Icon: ArchIcon },
  app: { shape: 'rounded-app', ground: 'bg-lamp-soft text-on-lamp', Icon: AppsIcon },
} as const

const SIZES = {
  24: 'size-6 text-[0.625rem]',
  40: 'size-10 text-base',
  56: 'size-14 text-title',
  72: 'size-18 text-head',
  96: 'size-24 text-display',
} as const

export type PictureProps = {
  kind: PictureKind
  /** A bare file name, or a full address (specification §3, "Profile picture"). */
  url: string | null | undefined
  /** Gives the initials when there is no picture. */
  name: string
  size?: keyof typeof SIZES
  className?: string
}

/** The picture of a person, organisation or app; initials in the same shape when it is missing or fails to load. */
export function Picture({ kind, url, name, size = 40, className }: PictureProps) {
  const origin = use(MediaOrigin)
  const [failed, setFailed] = useState<string | null>(null)
  const { shape, ground, Icon } = SHAPES[kind]
  const letters = initials(name)
  const frame = classes(
    'inline-flex shrink-0 items-center justify-center overflow-hidden',
    shape,
    SIZES[size],
    className,
  )

  if (url && url !== failed) {
    return (
      <span className={classes(frame, 'bg-sunken')}>
        <img
          src={pictureAddress(kind, url, origin)}
          alt=""
          className="size-full object-cover"
          onError={() => setFailed(url)}
        />
      </span>
    )
  }
  return (
    <span aria-hidden="true" className={classes(frame, ground, 'font-semibold')}>
      {letters || <Icon size={Math.round(size * 0.5)} />}
    </span>
  )
}

/**
 * Specification §3: a bare file name is `{api}/v1/media/{file}`; "://" marks a full address, and for apps
 * any slash does.
 */
export function pictureAddress(kind: PictureKind, url: string, origin: string): string {
  const full = url.includes('://') || (kind === 'app' && url.includes('/'))
  return full ? url : `${origin}/v1/media/${encodeURIComponent(url)}`
}

/** At most two letters: of the first and last word, or the first letter of a single word. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('')
}
