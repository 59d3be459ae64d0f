import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tlsFor } from '../../server/src/db/postgres/postgres-client.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('the image is built on the pinned Node.js, by digest', () => {
  const { node } = JSON.parse(read('package.json')).dependencies as { node: string }
  const dockerfile = read('Containerfile')
  expect(dockerfile).toMatch(new RegExp(`^ARG BASE=node:${node}-[a-z]+-slim@sha256:[0-9a-f]{64}$`, 'm'))
  expect(dockerfile.match(/^FROM \S+/gm)).toHaveLength(2)
  expect(dockerfile).not.toMatch(/^FROM (?!\$\{BASE\}( |$))/m)
})

test('containers publish their ports on loopback', () => {
  for (const file of ['compose.yaml', 'deploy/compose/compose.yaml']) {
    const ports = read(file)
      .replaceAll("'", '"')
      .match(/^ *ports: .*/gm)
    expect(ports).toEqual(['    ports: ["127.0.0.1:3000:3000"]'])
  }
})

test('the proxy of three containers asks the name server of its own, which is another one in Docker than in Podman', () => {
  const configuration = read('deploy/compose/haproxy.cfg')
  expect(configuration).toMatch(/^resolvers containers\n {2}parse-resolv-conf$/m)
  expect(configuration).not.toContain('nameserver ')
})

test('servers in containers ask PostgreSQL for no TLS, which its image does not have', () => {
  for (const file of ['compose.yaml', 'deploy/compose/compose.yaml']) {
    const [url = ''] = /postgres:\/\/[^\s@]*(\{.*\})?@\S+/.exec(read(file)) ?? []
    expect(tlsFor(url.replace(/[<$].*[>}]/, 'secret')), file).toBe(false)
  }
})

test('a container gets every setting that is in `.env`', () => {
  for (const file of ['compose.yaml', 'deploy/compose/compose.yaml'])
    expect(read(file), file).toMatch(/^ *env_file: \[\{ path: \.env, required: false \}\]$/m)
})

const isMissing = spawnSync('kubectl', ['kustomize', '--help']).error !== undefined

test.skipIf(isMissing)(
  'on Kubernetes, budget and network rules concern the pods of the servers and no others (skipped where kubectl is not installed)',
  () => {
    const made = spawnSync('kubectl', ['kustomize', 'deploy/kubernetes'], { cwd: ROOT, encoding: 'utf8' })
    expect(made).toMatchObject({ status: 0, stderr: '' })
    const of = (kind: string) => made.stdout.split('\n---\n').find((one) => one.includes(`\nkind: ${kind}\n`))
    expect(of('Deployment')).toMatch(/^ {4}metadata:\n(.*\n)*? {6}labels:\n {8}app.kubernetes.io\/name: vrata\n/m)
    expect(of('PodDisruptionBudget')).toMatch(/^ {2}selector:\n {4}matchLabels:\n {6}app.kubernetes.io\/name: vrata$/m)
    expect(of('NetworkPolicy')).toMatch(/^ {2}podSelector:\n {4}matchLabels:\n {6}app.kubernetes.io\/name: vrata$/m)
  },
)

test('on Kubernetes, a server has time for its migrations before it counts as dead', () => {
  const [, period, failures] =
    /startupProbe:.*periodSeconds: (\d+), failureThreshold: (\d+)/.exec(read('deploy/kubernetes/deployment.yaml')) ?? []
  expect(Number(period) * Number(failures)).toBeGreaterThanOrEqual(3600)
})

test('files with settings are in no commit and in no image', () => {
  expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['.env', '.env.*']))
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['**/.env', '**/.env.*']))
})
