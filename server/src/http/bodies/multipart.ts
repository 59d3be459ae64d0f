import { Busboy } from '@fastify/busboy'
import { LIMITS, problem, type Route, type Upload } from '@vrata/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BoundedQueue } from '../../lib/waiting/bounded-queue.ts'

/** Maximum bytes of part headers and boundaries. */
const AROUND = 16 * 1024

/** Number of uploads held in memory at the same time (security §20.9). */
const RECEIVING = new BoundedQueue({ atOnce: 3, waiting: 16 })

/**
 * Leaves the bodies of the routes of a scope unread. The request guards read them after they have authenticated the caller.
 */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** Users of this process whose upload is under way. */
const UPLOADING = new Set<string>()

/** Functions that end the upload of a request. */
const ENDS = new WeakMap<FastifyRequest, () => void>()

/** Called when the rule of the request has ended and no longer uses its file, if there is one. */
export function endUpload(request: FastifyRequest): void {
  ENDS.get(request)?.()
}

export type UploadOptions = {
  user_id: string
  /** Milliseconds within which the body must be received, once the rule reads it and there is a place. */
  deadline: number
  /** Called when the body has been received; what it throws is the answer. */
  received: () => Promise<void>
}

/**
 * Prepares the one file of a request. Its body is read when the rule calls `read`, which stops at the piece that exceeds
 * the limit. One upload of a user at a time: three slow ones would otherwise take the places of all users. Throws
 * `too_many_requests`, `unsupported_media_type`, `payload_too_large` or `invalid_request`; `read` throws
 * `request_timeout`, too. The file name and media type of the sender are ignored. The caller calls `endUpload`.
 */
export function openUpload(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { user_id, deadline, received }: UploadOptions,
): Record<string, Upload> {
  const name = route.multipart ?? ''
  const most = route.multipart_bytes ?? LIMITS.json_body_bytes
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data *;/i.test(type)) throw problem('unsupported_media_type')
  const declared = Number(request.headers['content-length'] ?? most)
  if (declared > most + AROUND) throw tooLarge(name, most)
  const seconds = Math.ceil(deadline / 1000)
  if (UPLOADING.has(user_id)) throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
  UPLOADING.add(user_id)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  ENDS.set(request, end)
  void ended.then(() => UPLOADING.delete(user_id))
  const room = Math.min(declared, most)
  const read = () =>
    new Promise<Uint8Array>((resolve, reject) => {
      const turn = async () => {
        const file = await receive(request, reply, { name, most, type, room, deadline })
        await received()
        resolve(file)
        // Also when the client has disconnected: the decoder may be reading this memory.
        await ended
        // Released explicitly: the garbage collector does not account for memory outside the heap.
        const { buffer } = file
        if (buffer instanceof ArrayBuffer) buffer.transfer(0)
      }
      RECEIVING.run(turn).catch(reject)
    })
  return { [name]: { read } }
}

async function receive(
  { raw, headers }: FastifyRequest,
  reply: FastifyReply,
  { name, most, type, room, deadline }: { name: string; most: number; type: string; room: number; deadline: number },
): Promise<Uint8Array> {
  // A client that disconnected while waiting would otherwise hold its slot forever.
  if (raw.destroyed) throw malformed(name)
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const parser = parserOf({ ...headers, 'content-type': type }, most)
  if (!parser) throw malformed(name)
  let file: Uint8Array | undefined
  parser.on('file', (field, stream) => {
    if (field !== name || file)
      return refuse(problem('invalid_request', { fields: { [field.slice(0, 50)]: 'unknown' } }))
    // Allocated once: joining pieces would need twice the memory. Untouched pages cost none.
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
  const late = setTimeout(() => {
    // The rest of the body is not awaited.
    reply.header('connection', 'close')
    refuse(problem('request_timeout'))
  }, deadline)
  raw.pipe(parser)

  function refuse(failure: Error) {
    raw.unpipe(parser)
    // Discards the rest of the body, so that the sender receives the response.
    raw.resume()
    reject(failure)
  }
  return promise.finally(() => clearTimeout(late))
}

/** Throws synchronously for a content type without a boundary. */
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
