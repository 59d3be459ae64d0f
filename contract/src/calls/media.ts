import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'

/** Edge lengths of a stored picture in pixels. The largest is the default of `?size=`. */
export const PICTURE_SIZES = [64, 128, 256, 512] as const
export type PictureSize = (typeof PICTURE_SIZES)[number]

/** Name of a stored picture: 128 random bits (security §5.3.1). */
const pictureName = z.string().regex(/^[A-Za-z0-9_-]{22}\.webp$/, 'invalid')

export const getMedia = route('GET', '/media/:file', {
  summary: 'Return a picture as WebP. `size` is its edge length in pixels. The picture of a name never changes.',
  needs: 'anywhere',
  params: z.object({ file: pictureName }),
  query: z.object({ size: f.integerText(z.literal(PICTURE_SIZES)).optional() }),
  file: 'image/webp',
  data: z.unknown(),
  problems: ['not_found'],
})

/** Route fields of a call that uploads a picture: JPEG, PNG, WebP, AVIF or GIF by content (api §3.2). */
export const pictureUpload = {
  multipart_bytes: LIMITS.picture_bytes,
  problems: ['payload_too_large', 'unsupported_media_type', 'unavailable'],
} as const
