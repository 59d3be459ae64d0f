import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'

/** `filled`: the middle of it, cut square (people). `whole`: all of it, with nothing around it (logos, icons). */
export type Framing = 'filled' | 'whole'

/**
 * A program of its own: takes a picture at its standard input and an {@link Order} as its argument, writes the squares to
 * its standard output in the order's sizes, each behind its length (32 bits), and ends. What a decoder took of memory goes
 * back to the machine with it, and one that breaks breaks nothing else. A refusal is its code on standard error, then
 * the cause.
 */
export type Order = { framing: Framing; sizes: readonly number[]; pixels: number }

const QUALITY = 84
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`)

async function draw({ framing, sizes, pixels }: Order): Promise<void> {
  sharp.cache(false)
  sharp.concurrency(1)
  // Only what decodes the five formats; not even a bug in `objection` reaches another decoder.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: DECODERS })
  // Of a picture that moves, the first frame. What is cut off or damaged is refused, not patched with grey.
  const options = { limitInputPixels: pixels, failOn: 'error', pages: 1, autoOrient: true } as const

  const sent = await buffer(process.stdin)
  const { width, height } = await sharp(sent, options)
    .metadata()
    .catch((cause) => refuse(/pixel limit/i.test(String(cause)) ? 'too_many_pixels' : 'broken_picture', cause))
  if (width * height > pixels) refuse('too_many_pixels')
  const square = await upright(sharp(sent, options), framing, Math.max(...sizes))
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((cause) => refuse('broken_picture', cause))
  const raw = { width: square.info.width, height: square.info.height, channels: square.info.channels }
  for (const size of sizes) {
    const made = await sharp(square.data, { raw }).resize(size, size).webp({ quality: QUALITY }).toBuffer()
    const length = Buffer.alloc(4)
    length.writeUInt32BE(made.length)
    process.stdout.write(Buffer.concat([length, made]))
  }
}

function upright(picture: Sharp, framing: Framing, edge: number): Sharp {
  const shape = framing === 'filled' ? { fit: 'cover' as const } : { fit: 'contain' as const, background: CLEAR }
  return picture.resize(edge, edge, shape).toColourspace('srgb')
}

function refuse(code: 'too_many_pixels' | 'broken_picture', cause: unknown = ''): never {
  process.stderr.write(`${code} ${cause}`)
  process.exit(1)
}

await draw(JSON.parse(process.argv[2] ?? ''))
