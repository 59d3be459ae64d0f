import { type FieldCode, LIMITS, problem } from '@vrata/contract'
import { PICTURE_SIZES, type PictureSize } from '@vrata/contract/media'
import type { Sharp } from 'sharp'
import { BoundedQueue } from '../bounded-queue.ts'
import { objection } from './kinds.ts'

/** `filled`: the middle of it, cut square (people). `whole`: all of it, with nothing around it (logos, icons). */
export type Framing = 'filled' | 'whole'

/** Makes of what somebody sent the pictures that we keep. */
export interface Pictures {
  /**
   * Decoded, turned upright, cut square, without metadata, as WebP in every size. Throws `unsupported_media_type` with
   * what is wrong in the field `field`, or `unavailable` when too many wait.
   */
  squares(bytes: Uint8Array, options: { framing: Framing; field: string }): Promise<Map<PictureSize, Uint8Array>>
}

/** One after the other: a picture of 50 megapixels takes some 200 MB while it is decoded (security.md 15.4.2). */
const QUEUE = { atOnce: 1, waiting: 4 }
const LARGEST = Math.max(...PICTURE_SIZES)
const QUALITY = 84
/** Seconds for one picture. */
const PATIENCE = 20
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

export function pictures(): Pictures {
  const queue = new BoundedQueue(QUEUE)
  return {
    async squares(bytes, { framing, field }) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const wrong = objection(buffer)
      if (wrong) throw refused(field, wrong)
      return await queue.run(async () => {
        const sharp = await decoder()
        const { width, height } = await sharp(buffer, OPTIONS)
          .metadata()
          .catch((cause) => {
            throw refused(field, isTooLarge(cause) ? 'too_many_pixels' : 'broken_picture', cause)
          })
        if (width * height > LIMITS.picture_pixels) throw refused(field, 'too_many_pixels')
        const square = await upright(sharp(buffer, OPTIONS), framing)
          .raw()
          .toBuffer({ resolveWithObject: true })
          .catch((cause) => {
            throw refused(field, 'broken_picture', cause)
          })
        const raw = { width: square.info.width, height: square.info.height, channels: square.info.channels }
        const made = new Map<PictureSize, Uint8Array>()
        for (const size of PICTURE_SIZES) {
          made.set(size, await sharp(square.data, { raw }).resize(size, size).webp({ quality: QUALITY }).toBuffer())
        }
        return made
      })
    },
  }
}

/** Of a picture that moves, the first frame. What is cut off or damaged is refused, not patched with grey. */
const OPTIONS = { limitInputPixels: LIMITS.picture_pixels, failOn: 'error', pages: 1, autoOrient: true } as const

function upright(picture: Sharp, framing: Framing): Sharp {
  const shape = framing === 'filled' ? { fit: 'cover' as const } : { fit: 'contain' as const, background: CLEAR }
  return picture.timeout({ seconds: PATIENCE }).resize(LARGEST, LARGEST, shape).toColourspace('srgb')
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof Error && /pixel limit/i.test(cause.message)
}

function refused(field: string, code: FieldCode, cause?: unknown) {
  return problem('unsupported_media_type', {
    fields: { [field]: code },
    params: { megapixels: LIMITS.picture_pixels / 1_000_000 },
    cause,
  })
}

let loaded: Promise<typeof import('sharp').default> | undefined

/** Loaded with the first picture: a server that gets none does without its memory. */
function decoder() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    // Only what decodes the five formats; not even a bug in `objection` reaches another decoder.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: DECODERS })
    return sharp
  })
  return loaded
}

const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`)
