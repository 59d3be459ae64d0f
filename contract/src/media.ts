import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { route } from './route.ts'

/** Edge lengths in which each picture is kept, in pixels; the largest is the one without `?size=`. */
export const PICTURE_SIZES = [64, 128, 256, 512] as const
export type PictureSize = (typeof PICTURE_SIZES)[number]

/** Name of a kept picture: 128 random bits (security.md 5.3.1). */
const pictureName = z.string().regex(/^[A-Za-z0-9_-]{22}\.webp$/, 'invalid')

export const getMedia = route('GET', '/media/:file', {
  summary: 'A picture, as WebP. `size` is its edge in pixels. The same name is the same picture for ever.',
  needs: 'anywhere',
  params: z.object({ file: pictureName }),
  query: z.object({ size: z.coerce.number().pipe(z.literal(PICTURE_SIZES)).optional() }),
  file: 'image/webp',
  data: z.unknown(),
  problems: ['not_found'],
})

/** What every call states that brings a picture: JPEG, PNG, WebP, AVIF or GIF by content (api.md §3). */
export const bringsPicture = {
  multipart_bytes: LIMITS.picture_bytes,
  problems: ['payload_too_large', 'unsupported_media_type', 'unavailable'],
} as const
