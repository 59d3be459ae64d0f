import { LIMITS, problem } from '@vrata/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PositionOf } from '../problems.ts'

/** Media type of YAML (RFC 9512). */
const YAML = 'application/yaml'

export interface SentDocument {
  /** Undefined when nothing was sent. */
  value: unknown
  place?: PositionOf
}

/**
 * Reads the body of a request, which is JSON or YAML. Throws `unsupported_media_type`, `payload_too_large`, or `invalid_request` with a
 * message that says where it is malformed.
 */
export async function readDocument(request: FastifyRequest): Promise<SentDocument> {
  const { headers } = request
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'] ?? 0)) return { value: undefined }
  const [type] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const parse = PARSERS.get(type?.trim() ?? '')
  if (!parse) throw problem('unsupported_media_type')
  return parse(await textOf(request))
}

const PARSERS = new Map<string, (text: string) => SentDocument | Promise<SentDocument>>([
  ['application/json', fromJson],
  [YAML, (text) => fromYaml(withinYamlLimit(text))],
])

/** Parsing takes some 30 µs for each, and the server does nothing else meanwhile. A command may take its time. */
const LINES_AND_COMMAS = 20_000

function withinYamlLimit(text: string): string {
  if ((text.match(/[\n,]/g)?.length ?? 0) > LINES_AND_COMMAS)
    throw malformed(`It has more than ${LINES_AND_COMMAS} lines and commas; send it as JSON`)
  return text
}

/** Reads a document in JSON. */
export function fromJson(text: string): SentDocument {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    throw malformed((error as Error).message, error)
  }
}

/** Reads a document in YAML. The parser is loaded with the first one. */
export async function fromYaml(text: string): Promise<SentDocument> {
  const { parseYaml, YamlError } = await import('../../lib/formats/yaml.ts')
  try {
    return parseYaml(text)
  } catch (error) {
    if (error instanceof YamlError) throw malformed(error.message, error)
    throw error
  }
}

function malformed(says: string, cause?: unknown) {
  return problem('invalid_request', {
    message: `The document is not well made: ${says}.`,
    fields: { body: 'invalid' },
    cause,
  })
}

async function textOf({ raw, headers }: FastifyRequest): Promise<string> {
  const most = LIMITS.document_bytes
  const tooLarge = () => problem('payload_too_large', { params: { megabytes: most / 1024 / 1024 } })
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge()
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of raw as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > most) throw tooLarge()
    pieces.push(piece)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  } catch (cause) {
    throw malformed('It is not UTF-8', cause)
  }
}

/** An answer in the type that `Accept` prefers: JSON in its envelope, or the data as YAML. */
export async function inAcceptedType(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  envelope: { data: unknown },
): Promise<object | string> {
  reply.header('vary', 'accept')
  const accept = headers.accept ?? ''
  if (quality(accept, YAML) <= quality(accept, 'application/json')) return envelope
  reply.type(`${YAML}; charset=utf-8`)
  const { toYaml } = await import('../../lib/formats/yaml.ts')
  return toYaml(envelope.data)
}

/** The quality with which a type is named (RFC 9110 §12.5.1); 0 where it is not. Ranges leave the choice to us: JSON. */
function quality(accept: string, type: string): number {
  for (const part of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim())
    if (name !== type) continue
    const given = parameters.find((text) => text.startsWith('q='))
    return given === undefined ? 1 : Number(given.slice(2)) || 0
  }
  return 0
}
