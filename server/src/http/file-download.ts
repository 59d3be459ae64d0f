import { Readable } from 'node:stream'
import type { FileAnswer, Route } from '@vrata/contract'
import type { FastifyReply } from 'fastify'

/** 365 days: a file with a random name never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * Sends a file instead of the envelope, with its declared media type only (`nosniff`) and without permission to run
 * scripts. Other sites may embed it only when the route needs `anywhere` (security §3.2.1, §5.4). A stored file is sent by its own stream, which closes
 * it also when the client has disconnected and nothing of it is read.
 */
export function sendFile(
  reply: FastifyReply,
  route: Route,
  { body, bytes, name, type = route.file }: FileAnswer,
): FastifyReply {
  const open = route.needs === 'anywhere'
  return reply
    .headers({
      'content-type': type,
      ...(bytes === undefined ? {} : { 'content-length': bytes }),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': open ? 'cross-origin' : 'same-origin',
      ...(open ? { 'cache-control': FOR_EVER } : {}),
      ...(name ? { 'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"` } : {}),
    })
    .send(body instanceof Readable ? body : Readable.from(body, { objectMode: false }))
}
