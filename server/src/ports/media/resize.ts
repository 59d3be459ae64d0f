// biome-ignore lint/style/noRestrictedImports: one program of our own, without a shell, named by no input (decision 0141)
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { type FieldCode, LIMITS, problem } from '@vrata/contract'
import { PICTURE_SIZES, type PictureSize } from '@vrata/contract/media'
import { BoundedQueue } from '../bounded-queue.ts'
import type { Framing, Order } from './draw.ts'
import { objection } from './kinds.ts'

export type { Framing } from './draw.ts'

/** Makes of what somebody sent the pictures that we keep. */
export interface Pictures {
  /**
   * Decoded, turned upright, cut square, without metadata, as WebP in every size. Throws `unsupported_media_type` with
   * what is wrong in the field `field`, or `unavailable` when too many wait.
   */
  squares(bytes: Uint8Array, options: { framing: Framing; field: string }): Promise<Map<PictureSize, Uint8Array>>
}

/** One after the other: the program takes up to 320 MB for a picture of 50 megapixels (security.md 15.4.2). */
const QUEUE = { atOnce: 1, waiting: 4 }
/** The program beside this file, as a source or bundled. */
const PROGRAM = join(import.meta.dirname, `draw${extname(import.meta.filename)}`)
/** Milliseconds for one picture. */
const PATIENCE = 20_000

/** `program` decodes; `patience` are the milliseconds that it gets for one picture. */
export function pictures({ program = PROGRAM, patience = PATIENCE } = {}): Pictures {
  const queue = new BoundedQueue(QUEUE)
  return {
    async squares(bytes, { framing, field }) {
      const wrong = objection(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      if (wrong) throw refused(field, wrong)
      const order = { framing, sizes: PICTURE_SIZES, pixels: LIMITS.picture_pixels }
      const drawn = await queue.run(() => draw(bytes, order, { program, patience }))
      if ('wrong' in drawn) throw refused(field, drawn.wrong, drawn.cause)
      return drawn.made
    },
  }
}

/** What the program refuses by name; whatever else ends it, a crash or its time, is the picture's fault, too. */
const REFUSALS: readonly FieldCode[] = ['too_many_pixels', 'broken_picture']

type Drawn = { made: Map<PictureSize, Uint8Array> } | { wrong: FieldCode; cause: Error }

/** Has a program draw the squares that ends with each picture (decision 0141). It is told nothing of ours. */
async function draw(bytes: Uint8Array, order: Order, by: { program: string; patience: number }): Promise<Drawn> {
  const child = spawn(process.execPath, ['--max-old-space-size=64', by.program, JSON.stringify(order)], {
    env: {},
    timeout: by.patience,
    killSignal: 'SIGKILL',
  })
  // A program that has seen enough hangs up.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  const [squares, complaint, [code, signal]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (code === 0) return { made: squaresIn(squares) }
  const named = REFUSALS.find((refusal) => complaint.startsWith(refusal))
  return {
    wrong: named ?? 'broken_picture',
    cause: new Error(`the decoder ended with ${signal ?? code}: ${complaint}`),
  }
}

function squaresIn(bytes: Buffer): Map<PictureSize, Uint8Array> {
  let at = 0
  return new Map(
    PICTURE_SIZES.map((size) => {
      const start = at + 4
      at = start + bytes.readUInt32BE(at)
      return [size, bytes.subarray(start, at)]
    }),
  )
}

function refused(field: string, code: FieldCode, cause?: unknown) {
  return problem('unsupported_media_type', {
    fields: { [field]: code },
    params: { megapixels: LIMITS.picture_pixels / 1_000_000 },
    cause,
  })
}
