import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { loadedOnce } from '../../lib/loaded-once.ts'
import { bestEncoding, compressed, type Encoding } from './compression.ts'

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.bin': 'application/octet-stream',
}
const YEAR = 365 * 24 * 60 * 60
/** Files that pages of other sites embed (`@vrata/sign-in`). */
const FOR_OTHERS = 'sign-in.js'

/**
 * Serves the built files. Only names of existing build output are routed, so no URL reaches another file. Files in
 * `assets` have a hash in their name and never change; each is read on first use and then cached. `installationName`
 * answers the name of the installation, or undefined while it has none.
 */
export async function mountAssets(
  app: FastifyInstance,
  folder: string,
  installationName: () => string | null | undefined,
): Promise<void> {
  const assets = await filesIn(join(folder, 'assets'))
  const others = await filesIn(folder)
  const kept = new Map<string, () => Promise<Buffer>>()
  const keptScript = { name: '', by: new Map<Encoding | undefined, () => Promise<Buffer>>() }

  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    reply.header('cache-control', `public, max-age=${YEAR}, immutable`)
    const sent = send(reply, join(folder, 'assets'), assets, request.params.name, request.headers['accept-encoding'])
    return sent ?? reply.header('cache-control', 'no-store').code(404).type('text/plain').send('Not found\n')
  })
  for (const name of others) {
    if (!TYPES[extname(name)]) continue
    app.get(`/${name}`, async (request, reply) => {
      reply.header('cache-control', 'public, max-age=86400')
      return send(reply, folder, others, name, request.headers['accept-encoding'])
    })
  }

  function send(reply: FastifyReply, inside: string, names: Set<string>, name: string, accepted: unknown) {
    const type = TYPES[extname(name)]
    if (!names.has(name) || !type) return undefined
    const encoding = bestEncoding(accepted as string)
    const stored = encoding && names.has(`${name}${SUFFIX[encoding]}`) ? encoding : undefined
    const path = join(inside, stored ? `${name}${SUFFIX[stored]}` : name)
    const ownName = name === FOR_OTHERS ? installationName() : undefined
    const content = ownName ? scriptNaming(ownName, stored) : keptIn(kept, path, () => readFile(path))
    reply
      .type(type)
      .header('vary', 'Accept-Encoding')
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', name === FOR_OTHERS ? 'cross-origin' : 'same-origin')
    if (name === FOR_OTHERS) reply.header('access-control-allow-origin', '*')
    return content.then((body) => {
      if (stored) reply.header('content-encoding', stored)
      return reply.send(body)
    })
  }

  /** The script for other sites, which shows this name on its button (`sign-in/src/words.ts`). */
  function scriptNaming(name: string, encoding: Encoding | undefined): Promise<Buffer> {
    if (name !== keptScript.name) {
      keptScript.name = name
      keptScript.by.clear()
    }
    return keptIn(keptScript.by, encoding, async () => {
      const script = await readFile(join(folder, FOR_OTHERS), 'utf8')
      return await compressed(`const INSTALLATION_NAME=${JSON.stringify(name)};\n${script}`, encoding, 'small')
    })
  }
}

/** Makes a content at its first use and keeps it. */
function keptIn<K>(kept: Map<K, () => Promise<Buffer>>, key: K, make: () => Promise<Buffer>): Promise<Buffer> {
  const content = kept.get(key) ?? loadedOnce(make)
  kept.set(key, content)
  return content()
}

const SUFFIX: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

async function filesIn(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { withFileTypes: true })
  return new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
}
