import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import walls, { DRIVERS, LINE } from '../.dependency-cruiser.mjs'

/** Rule → files with a planted violation: [file, import line]. Each alone must be reported by that rule's name. */
const PLANTED: Record<string, [file: string, line: string][]> = {
  'contract-is-the-floor': [
    ['contract/src/a.ts', "import '../../phrases/src/index.ts'"],
    ['contract/src/b.ts', "import type { FastifyRequest } from 'fastify'"],
  ],
  'phrases-only-speak': [['phrases/src/a.ts', "import { useState } from 'react'"]],
  'web-never-meets-server': [
    ['web/src/lib/a.ts', "import type { Config } from '../../../server/src/config.ts'"],
    ['server/src/edge/a.ts', "import '../../../web/src/paths.ts'"],
  ],
  'journeys-use-the-front-door': [['e2e/journeys/a.spec.ts', "import '../../server/src/config.ts'"]],
  'sign-in-stands-alone': [['sign-in/src/a.ts', "import '../../contract/src/index.ts'"]],
  'examples-are-strangers': [['examples/web-app/a.ts', "import '../../contract/src/index.ts'"]],
  'edge-serves-everybody': [['server/src/edge/b.ts', "import '../slices/auth/door.ts'"]],
  'db-is-below': [['server/src/db/a.ts', "import '../ports/clock.ts'"]],
  'ports-face-outward': [['server/src/ports/a.ts', "import '../edge/serve.ts'"]],
  'slices-knock': [
    ['server/src/slices/clients/a.ts', "import '../auth/login.ts'"],
    ['server/src/issuer/a.ts', "import type { Login } from '../slices/auth/login.ts'"],
    ['server/src/cli.ts', "import './slices/auth/routes.ts'"],
    ['server/test/house.ts', "import '../src/slices/auth/login.ts'"],
  ],
  'slices-stand-in-line': [
    ['server/src/slices/auth/b.ts', "import '../clients/door.ts'"],
    ['server/src/slices/media/b.ts', "import '../scopes/door.ts'"],
    ['server/src/slices/connections/b.ts', "import type { Issuer } from '../../issuer/mount.ts'"],
  ],
  'stores-are-private': [
    ['server/src/slices/clients/c.ts', "import '../auth/store.ts'"],
    ['server/src/issuer/b.ts', "import '../slices/auth/store.ts'"],
    ['server/src/main.ts', "import './slices/auth/store.ts'"],
  ],
  'only-stores-speak-sql': [['server/src/slices/clients/d.ts', "import { sql } from 'kysely'"]],
  'fastify-stays-at-the-edge': [['server/src/slices/clients/e.ts', "import type { FastifyRequest } from 'fastify'"]],
  'engine-behind-one-wall': [
    ['server/src/slices/connections/a.ts', "import type Provider from 'oidc-provider'"],
    ['server/src/edge/c.ts', "const jose = await import('jose')"],
  ],
  'features-do-not-visit': [
    ['web/src/features/home/a.page.tsx', "import { data } from '../account/data.ts'"],
    ['web/src/features/home/b.tsx', "import '../../shell/frame.tsx'"],
    ['web/src/lib/b.ts', "import type { Data } from '../features/account/data.ts'"],
  ],
  'ui-is-dumb': [
    ['web/src/ui/a.tsx', "import { paths } from '../paths.ts'\nexport const A = () => <a href={paths}>a</a>"],
    ['web/src/ui/b.tsx', "import { useQuery } from '@tanstack/react-query'"],
  ],
  'no-cycles': [['server/src/ports/round.ts', "import './trip.ts'"]],
  'tests-stay-out': [
    ['server/src/edge/d.ts', "import './serve.test.ts'"],
    ['server/src/app.ts', "import type { People } from '../test/people.ts'"],
    ['web/src/lib/c.ts', "import { vi } from 'vitest'"],
  ],
  'nothing-is-missing': [['server/src/edge/e.ts', "import './nowhere.ts'"]],
  ...Object.fromEntries(
    Object.entries(DRIVERS).map(([name, { packages }]) => [
      `drivers-stay-in-ports/${name}`,
      packages
        .filter((it) => !it.includes('['))
        .map((it, at): [string, string] => [`server/src/slices/clients/${name}-${at}.ts`, `import '${it}'`]),
    ]),
  ),
}

/** What the planted lines point at, and imports that every wall must let through. */
const BYSTANDERS: [file: string, line: string][] = [
  ['contract/src/index.ts', "import { z } from 'zod'"],
  ['phrases/src/index.ts', "import type {} from '../../contract/src/index.ts'"],
  ['server/src/config.ts', ''],
  ['server/src/ports/clock.ts', ''],
  ['server/src/ports/trip.ts', "import './round.ts'"],
  ['server/src/ports/mail/smtp.ts', "import 'nodemailer'"],
  ['server/src/edge/serve.ts', "import 'fastify'"],
  ['server/src/edge/serve.test.ts', "import 'vitest'"],
  ['server/src/issuer/mount.ts', "import 'oidc-provider'"],
  ['server/src/slices/auth/door.ts', "import './store.ts'"],
  ['server/src/slices/auth/login.ts', "import './store.ts'"],
  ['server/src/slices/auth/routes.ts', "import './login.ts'"],
  ['server/src/slices/auth/store.ts', "import 'kysely'"],
  ['server/src/slices/scopes/door.ts', ''],
  ['server/src/slices/clients/door.ts', "import '../auth/door.ts'"],
  ['server/test/people.ts', ''],
  ['web/src/paths.ts', ''],
  ['web/src/shell/frame.tsx', "import '../features/account/data.ts'"],
  ['web/src/features/account/data.ts', "import '../../lib/api.ts'"],
  ['web/src/lib/api.ts', "import '../../../contract/src/index.ts'"],
]

let tree: string
let reports: Set<string>

beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), 'vrata-walls-'))
  for (const [file, line] of [...Object.values(PLANTED).flat(), ...BYSTANDERS]) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), `${line}\nexport {}\n`)
  }
  const { output } = await cruise(
    readdirSync(tree),
    { ...walls.options, ruleSet: { forbidden: walls.forbidden }, validate: true, baseDir: tree },
    walls.options?.enhancedResolveOptions,
  )
  reports = new Set((output as ICruiseResult).summary.violations.map(({ rule, from }) => `${from} ✗ ${rule.name}`))
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

describe('walls', () => {
  it.each(Object.entries(PLANTED).flatMap(([rule, plants]) => plants.map(([file, line]) => ({ rule, file, line }))))(
    '$rule stops $file: $line',
    ({ rule, file }) => {
      expect([...reports].filter((report) => report.startsWith(`${file} `))).toContain(`${file} ✗ ${rule}`)
    },
  )

  it('lets through what the house allows', () => {
    const innocent = new Set(BYSTANDERS.map(([file]) => file))
    innocent.delete('server/src/ports/trip.ts')
    // Packages are not installed beside the planted tree, so they are all missing there.
    const blamed = [...reports].filter((report) => !report.endsWith('nothing-is-missing'))
    expect(blamed.filter((report) => innocent.has(report.split(' ')[0] as string))).toEqual([])
  })

  it('has a planted violation for every rule', () => {
    const rules = new Set(walls.forbidden?.map(({ name }) => name))
    expect([...rules].filter((rule) => rule && !PLANTED[rule])).toEqual([])
  })

  it('knows the place of every slice in the line', () => {
    const known = new Set(LINE.flat())
    expect(readdirSync(join(import.meta.dirname, '../server/src/slices')).filter((it) => !known.has(it))).toEqual([])
  })
})
