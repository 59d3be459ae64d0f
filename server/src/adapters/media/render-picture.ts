import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'

/** `filled`: the center of the picture, cropped to a square (people). `whole`: the whole picture (logos, icons). */
export type Framing = 'filled' | 'whole'

/**
 * A separate process: reads a picture from standard input and an {@link Order} from its argument, and writes the
 * squares in the ordered sizes to standard output, each after its length (32 bits). Its memory is released when it
 * ends, and a crash affects nothing else. A rejection is written to standard error: its code, then the cause.
 */
export type Order = { framing: Framing; sizes: readonly number[]; pixels: number }

const QUALITY = 84
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`)

async function draw({ framing, sizes, pixels }: Order): Promise<void> {
  sharp.cache(false)
  sharp.concurrency(1)
  // Only the decoders of the five formats, so that a bug in `objection` cannot reach another one.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: DECODERS })
  // The first frame of an animation. Truncated or damaged pictures are rejected.
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

void draw(JSON.parse(process.argv[2] ?? ''))
