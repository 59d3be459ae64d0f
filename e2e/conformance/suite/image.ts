import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

type Descriptor = { digest: string; size: number; platform?: { architecture: string; os: string } }
type Manifest = { layers?: Descriptor[]; manifests?: Descriptor[] }
type Image = { registry: string; name: string; reference: string }

const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]
/** Names of processor architectures in images, by the names of Node. */
const ARCHITECTURES: Record<string, string> = { x64: 'amd64' }

/**
 * Downloads files or folders of a public container image for Linux into a folder, with their paths in the image. It asks the registry itself
 * (OCI Distribution Specification) and needs `tar`, but no program for containers. The paths are looked for in the last
 * layer first, and layers before the last one that is needed are not downloaded.
 *
 * @param image as in `docker pull`, with the name of the registry: `registry.example/name:tag`, `registry.example/name@sha256:…`
 * @throws when the registry gives no such image, a path is not in it, or what arrives is not what its digest says
 */
export async function downloadFromImage(image: string, paths: readonly string[], into: string): Promise<void> {
  const parsed = parseImage(image)
  const get = connect(parsed)
  const { layers = [] } = await imageManifest(get, parsed.reference)
  await mkdir(into, { recursive: true })
  const wanted = new Set(paths)
  for (const layer of layers.toReversed()) {
    if (wanted.size === 0) break
    const archive = join(into, 'layer.tar')
    await save(await get(`blobs/${layer.digest}`), layer.digest, archive)
    for (const path of await extract(archive, [...wanted], into)) wanted.delete(path)
    await rm(archive)
  }
  if (wanted.size > 0) throw new Error(`${image} has no ${[...wanted].join(' and no ')}`)
}

function parseImage(image: string): Image {
  const [, registry, name, tag, digest] = /^([^/]+)\/([^@:]+)(?::([^@]+))?(?:@(.+))?$/.exec(image) ?? []
  if (!registry || !name) throw new Error(`${image} is not the address of an image: registry/name:tag`)
  return { registry, name, reference: digest ?? tag ?? 'latest' }
}

type Get = (path: string, accept?: string[]) => Promise<Response>

/** Requests to one image. Registries issue a token for a public image to anyone, and name the endpoint in a challenge. */
function connect({ registry, name }: Image): Get {
  // Plain HTTP on this machine, as container programs do, because such a registry has no certificate.
  const scheme = /^(localhost|127\.0\.0\.1)(:|$)/.test(registry) ? 'http' : 'https'
  let authorization: Record<string, string> = {}
  return async (path, accept = []) => {
    const url = `${scheme}://${registry}/v2/${name}/${path}`
    // A redirect to another host does not get the token.
    const ask = () => fetch(url, { headers: { accept: accept.join(', ') || '*/*', ...authorization } })
    let answer = await ask()
    const challenge = answer.headers.get('www-authenticate')
    if (answer.status === 401 && challenge) {
      authorization = { authorization: `Bearer ${await anonymousToken(challenge)}` }
      answer = await ask()
    }
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
    return answer
  }
}

/** An anonymous token, from the server that the challenge names. */
async function anonymousToken(challenge: string): Promise<string> {
  const { realm, ...parameters } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>
  if (!realm) throw new Error(`the registry asks for ${challenge}`)
  const answer = await fetch(`${realm}?${new URLSearchParams(parameters)}`)
  if (!answer.ok) throw new Error(`${realm} answered ${answer.status}`)
  const { token, access_token } = (await answer.json()) as { token?: string; access_token?: string }
  return token ?? access_token ?? ''
}

/** The manifest of the image for this processor. */
async function imageManifest(get: Get, reference: string): Promise<Manifest> {
  const text = await (await get(`manifests/${reference}`, MANIFESTS)).text()
  if (reference.startsWith('sha256:')) verify(createHash('sha256').update(text).digest('hex'), reference)
  const manifest = JSON.parse(text) as Manifest
  if (!manifest.manifests) return manifest
  const architecture = ARCHITECTURES[process.arch] ?? process.arch
  const own = manifest.manifests.find(({ platform: p }) => p?.os === 'linux' && p.architecture === architecture)
  if (!own) throw new Error(`there is no such image for ${architecture}`)
  return await imageManifest(get, own.digest)
}

async function save(answer: Response, digest: string, file: string): Promise<void> {
  if (!answer.body) throw new Error(`${answer.url} answered nothing`)
  const hash = createHash('sha256')
  const hashed = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(answer.body, hashed, createWriteStream(file))
  verify(hash.digest('hex'), digest)
}

function verify(actual: string, digest: string): void {
  if (`sha256:${actual}` !== digest) throw new Error(`${digest} was asked for, and sha256:${actual} arrived`)
}

/** Extracts those of the paths that a layer has, and returns them. */
async function extract(archive: string, paths: string[], into: string): Promise<string[]> {
  const { stdout } = await run('tar', ['-tf', archive], { maxBuffer: 64 * 1024 * 1024 })
  const names = stdout.split('\n')
  const found = paths.filter((path) => names.some((name) => name === path || name.startsWith(`${path}/`)))
  if (found.length > 0) await run('tar', ['-xf', archive, '-C', into, ...found])
  return found
}
