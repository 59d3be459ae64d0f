import { createContext, use, useState } from 'react'
import { classes } from '../classes.ts'
import { AppsIcon, ArchIcon, PersonIcon } from '../icons/icons.tsx'

/** Users are circles, organizations arches, apps rounded squares (design §2.3). */
export type PictureKind = 'user' | 'developer' | 'app'

/** Origin of the API without trailing slash; `''` for the same origin. */
export const MediaOrigin = createContext('')

const SHAPES = {
  user: { shape: 'rounded-full', ground: 'bg-person text-white', Icon: PersonIcon },
  developer: { shape: 'rounded-arch', ground: 'bg-brand-soft text-brand-strong', Icon: ArchIcon },
  app: { shape: 'rounded-app', ground: 'bg-accent-soft text-on-accent', Icon: AppsIcon },
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
  /** A file name, or a full address (product §3.10). */
  url: string | null | undefined
  /** Source of the initials when there is no picture. */
  name: string
  size?: keyof typeof SIZES
  /** Gray: switched off. */
  inactive?: boolean | undefined
  className?: string
}

/** Picture of a user, organization or app; initials when it is missing or fails to load. */
export function Picture({ kind, url, name, size = 40, inactive, className }: PictureProps) {
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
          className={classes('size-full object-cover', inactive && '[filter:grayscale(1)]')}
          onError={() => setFailed(url)}
        />
      </span>
    )
  }
  return (
    <span aria-hidden="true" className={classes(frame, inactive ? 'bg-sunken text-muted' : ground, 'font-semibold')}>
      {letters || <Icon size={Math.round(size * 0.5)} />}
    </span>
  )
}

/**
 * Address of a picture (product §3.10): a file name is `{api}/v1/media/{file}`; "://" marks a full address, for apps
 * any slash does.
 */
export function pictureAddress(kind: PictureKind, url: string, origin: string): string {
  const full = url.includes('://') || (kind === 'app' && url.includes('/'))
  return full ? url : `${origin}/v1/media/${encodeURIComponent(url)}`
}

/** At most two letters: of the first and last word, or of a single word. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}
