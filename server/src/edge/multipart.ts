import { Busboy } from '@fastify/busboy'
import { LIMITS, problem, type Route } from '@vrata/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BoundedQueue } from '../ports/bounded-queue.ts'

/** More than a header of a part and its borders need. */
const AROUND = 16 * 1024

/** Files that are held in memory at once, from their first byte to the answer, are few (security.md F9). */
const RECEIVING = new BoundedQueue({ atOnce: 3, waiting: 16 })

/** Lets the calls below it take forms; their bodies are read by the fence, after it has looked who is asking. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/**
 * The one file that a call brings, in memory: read in pieces and refused at the piece with which it becomes too large.
 * Throws `unsupported_media_type`, `payload_too_large` or `invalid_request`; the name and the type that the sender gives
 * it are ignored.
 */
export async function readFile(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Record<string, Uint8Array>> {
  const name = route.multipart ?? ''
  const most = route.multipart_bytes ?? LIMITS.json_body_bytes
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data *;/i.test(type)) throw problem('unsupported_media_type')
  const declared = Number(request.headers['content-length'] ?? most)
  if (declared > most + AROUND) throw tooLarge(name, most)
  const room = Math.min(declared, most)
  const file = await new Promise<Uint8Array>((resolve, reject) => {
    const turn = async () => {
      const file = await received(request, { name, most, type, room })
      resolve(file)
      await answered(reply)
      // Given back now: the collector does not hurry for memory that is not its own.
      const { buffer } = file
      if (buffer instanceof ArrayBuffer) buffer.transfer(0)
    }
    RECEIVING.run(turn).catch(reject)
  })
  return { [name]: file }
}

/** When the answer has left, or nobody is there any more to have it. */
function answered({ raw }: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    if (raw.writableFinished || raw.destroyed) resolve()
    raw.once('finish', resolve).once('close', resolve)
  })
}

async function received(
  { raw, headers }: FastifyRequest,
  { name, most, type, room }: { name: string; most: number; type: string; room: number },
): Promise<Uint8Array> {
  // Whoever went away while waiting for a turn is never heard of again, and would keep the turn for good.
  if (raw.destroyed) throw malformed(name)
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const parser = parserOf({ ...headers, 'content-type': type }, most)
  if (!parser) throw malformed(name)
  let file: Uint8Array | undefined
  parser.on('file', (field, stream) => {
    if (field !== name || file)
      return refuse(problem('invalid_request', { fields: { [field.slice(0, 50)]: 'unknown' } }))
    // Taken at once: pieces that are put together in the end would need twice the memory. What is not written to costs none.
    const space = Buffer.allocUnsafeSlow(room)
    let filled = 0
    file = space
    stream.on('data', (piece: Buffer) => {
      filled += piece.copy(space, filled)
    })
    stream.on('limit', () => refuse(tooLarge(name, most)))
    stream.on('error', () => refuse(malformed(name)))
    stream.on('end', () => {
      file = space.subarray(0, filled)
    })
  })
  parser.on('field', (field) => refuse(problem('invalid_request', { fields: { [field.slice(0, 50)]: 'unknown' } })))
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => refuse(malformed(name)))
  parser.on('error', () => refuse(malformed(name)))
  parser.on('finish', () => {
    if (file?.length) resolve(file)
    else reject(problem('invalid_request', { fields: { [name]: 'required' } }))
  })
  raw.on('aborted', () => refuse(malformed(name)))
  raw.pipe(parser)

  function refuse(failure: Error) {
    raw.unpipe(parser)
    // What is still on its way is thrown away, so that whoever sends it hears the answer.
    raw.resume()
    reject(failure)
  }
  return promise
}

/** It throws at once at a content type without a boundary. */
function parserOf(headers: FastifyRequest['headers'] & { 'content-type': string }, most: number) {
  try {
    return new Busboy({
      headers,
      limits: { fileSize: most, files: 1, fields: 0, parts: 1, headerPairs: 20, fieldNameSize: 100 },
    })
  } catch {
    return undefined
  }
}

function tooLarge(name: string, most: number) {
  return problem('payload_too_large', { fields: { [name]: 'too_big' }, params: { megabytes: most / 1024 / 1024 } })
}

function malformed(name: string) {
  return problem('invalid_request', { message: 'The form is not well made.', fields: { [name]: 'invalid' } })
}
