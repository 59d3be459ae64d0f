// biome-ignore lint/style/noRestrictedImports: one program of our own, without a shell, named by no input (decision 0014)
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { type FieldCode, LIMITS, problem } from '@vrata/contract'
import { PICTURE_SIZES, type PictureSize } from '@vrata/contract/media'
import { BoundedQueue } from '../../lib/waiting/bounded-queue.ts'
import { objection } from './picture-format.ts'
import type { Framing, Order } from './render-picture.ts'

export type { Framing } from './render-picture.ts'

/** Renders uploaded pictures. */
export interface Pictures {
  /**
   * Decodes, rotates and crops a picture, removes its metadata and encodes WebP in every size. Throws
   * `unsupported_media_type` with the reason in the field `field`, or `unavailable` when the queue is full or
   * too slow.
   */
  squares(bytes: Uint8Array, options: { framing: Framing; field: string }): Promise<Map<PictureSize, Uint8Array>>
}

/** One at a time: the process takes up to 320 MB for a picture of 50 megapixels (security §15.4.2). */
const QUEUE = { atOnce: 1, waiting: 4, patience: 30_000 }
/** The program next to this file, as a source or bundled. */
const PROGRAM = join(import.meta.dirname, `render-picture${extname(import.meta.filename)}`)
/** Milliseconds for one picture. */
const PATIENCE = 20_000

/** `program` decodes; `patience` is the time limit of a picture in milliseconds. */
export function pictures({ program = PROGRAM, patience = PATIENCE } = {}): Pictures {
  const queue = new BoundedQueue(QUEUE)
  return {
    async squares(bytes, { framing, field }) {
      const wrong = objection(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      if (wrong) throw rejected(field, wrong)
      const order = { framing, sizes: PICTURE_SIZES, pixels: LIMITS.picture_pixels }
      const drawn = await queue.run(() => draw(bytes, order, { program, patience }))
      if ('wrong' in drawn) throw rejected(field, drawn.wrong, drawn.cause)
      return drawn.made
    },
  }
}

/** Codes of rejections; a crash or a timeout also rejects the picture. */
const PICTURE_ERRORS: readonly FieldCode[] = ['too_many_pixels', 'broken_picture']

type Drawn = { made: Map<PictureSize, Uint8Array> } | { wrong: FieldCode; cause: Error }

/** Runs the program that renders the squares (decision 0014), with an empty environment. Throws `unavailable` when it cannot be started. */
async function draw(bytes: Uint8Array, order: Order, by: { program: string; patience: number }): Promise<Drawn> {
  const child = spawn(process.execPath, ['--max-old-space-size=64', by.program, JSON.stringify(order)], {
    env: {},
    timeout: by.patience,
    killSignal: 'SIGKILL',
  })
  // Listens first: an error without a listener, as without a free file handle, would end this process.
  const closed = once(child, 'close')
  closed.catch(() => {})
  await once(child, 'spawn').catch((cause: unknown) => {
    throw problem('unavailable', { retry_after: 5, cause })
  })
  // The program closes its input when it rejects a picture early.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  const [squares, stderr, [code, signal]] = await Promise.all([buffer(child.stdout), text(child.stderr), closed])
  if (code === 0) return { made: squaresIn(squares) }
  const named = PICTURE_ERRORS.find((known) => stderr.startsWith(known))
  return {
    wrong: named ?? 'broken_picture',
    cause: new Error(`the decoder ended with ${signal ?? code}: ${stderr}`),
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

function rejected(field: string, code: FieldCode, cause?: unknown) {
  return problem('unsupported_media_type', {
    fields: { [field]: code },
    params: { megapixels: LIMITS.picture_pixels / 1_000_000 },
    cause,
  })
}
