import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import rules, { DRIVERS, FEATURE_ORDER } from '../../.dependency-cruiser.mjs'

/** Files with a planted violation, by rule: [file, import line]. The rule of that name must report each. */
const PLANTED: Record<string, [file: string, line: string][]> = {
  'contract-imports-only-zod': [
    ['contract/src/a.ts', "import '../../phrases/src/index.ts'"],
    ['contract/src/b.ts', "import type { FastifyRequest } from 'fastify'"],
  ],
  'phrases-import-only-contract': [['phrases/src/a.ts', "import { useState } from 'react'"]],
  'web-and-server-are-separate': [
    ['web/src/lib/a.ts', "import type { Config } from '../../../server/src/config/config.ts'"],
    ['server/src/http/a.ts', "import '../../../web/src/enter.ts'"],
  ],
  'journeys-import-no-source': [['e2e/journeys/a.spec.ts', "import '../../server/src/config/config.ts'"]],
  'testing-imports-only-contract': [['testing/a.ts', "import '../server/src/config/config.ts'"]],
  'sign-in-is-standalone': [['sign-in/src/a.ts', "import '../../contract/src/index.ts'"]],
  'examples-are-standalone': [['examples/web-app/a.ts', "import '../../contract/src/index.ts'"]],
  'http-imports-no-feature': [['server/src/http/b.ts', "import '../features/sign-in/public.ts'"]],
  'db-is-the-lowest-layer': [['server/src/db/a.ts', "import '../http/serve.ts'"]],
  'adapters-import-no-feature': [['server/src/adapters/a.ts', "import '../http/serve.ts'"]],
  'features-import-public-ts': [
    ['server/src/features/clients/a.ts', "import '../sign-in/login.ts'"],
    ['server/src/issuer/a.ts', "import type { Login } from '../features/sign-in/login.ts'"],
    ['server/src/cli.ts', "import './features/sign-in/routes.ts'"],
    ['server/test/test-server.ts', "import '../src/features/sign-in/login.ts'"],
  ],
  'feature-order': [
    ['server/src/features/sign-in/b.ts', "import '../clients/public.ts'"],
    ['server/src/features/media/b.ts', "import '../scope-catalog/public.ts'"],
    ['server/src/features/connections/b.ts', "import type { Issuer } from '../../issuer/mount.ts'"],
  ],
  'stores-are-private': [
    ['server/src/features/clients/c.ts', "import '../sign-in/store.ts'"],
    ['server/src/issuer/b.ts', "import '../features/sign-in/store.ts'"],
    ['server/src/main.ts', "import './features/sign-in/store.ts'"],
  ],
  'sql-only-in-stores': [['server/src/features/clients/d.ts', "import { sql } from 'kysely'"]],
  'fastify-only-in-http': [['server/src/features/clients/e.ts', "import type { FastifyRequest } from 'fastify'"]],
  'oidc-provider-only-in-issuer': [
    ['server/src/features/connections/a.ts', "import type Provider from 'oidc-provider'"],
    ['server/src/http/c.ts', "const jose = await import('jose')"],
  ],
  'web-features-are-independent': [
    ['web/src/features/home/a.page.tsx', "import { data } from '../account/data.ts'"],
    ['web/src/features/home/b.tsx', "import '../../shell/frame.tsx'"],
    ['web/src/features/clients/a.tsx', "import '../scopes/queries.ts'"],
    ['web/src/features/clients/b.tsx', "import '../account/public.ts'"],
    ['web/src/lib/b.ts', "import type { Data } from '../features/account/data.ts'"],
  ],
  'ui-takes-props-only': [
    ['web/src/ui/a.tsx', "import { paths } from '../enter.ts'\nexport const A = () => <a href={paths}>a</a>"],
    ['web/src/ui/b.tsx', "import { useQuery } from '@tanstack/react-query'"],
  ],
  'no-circular-imports': [
    ['server/src/adapters/round.ts', "import './trip.ts'"],
    ['server/src/lib/round.ts', "import type { Trip } from './trip.ts'\nexport type Round = Trip"],
  ],
  'no-test-code-in-production': [
    ['server/src/http/d.ts', "import './serve.test.ts'"],
    ['server/src/app.ts', "import type { People } from '../test/people.ts'"],
    ['web/src/lib/c.ts', "import { vi } from 'vitest'"],
  ],
  'no-unresolved-imports': [['server/src/http/e.ts', "import './nowhere.ts'"]],
  ...Object.fromEntries(
    Object.entries(DRIVERS).map(([name, { packages }]) => [
      `drivers-only-in-adapters/${name}`,
      packages
        .filter((it) => !it.includes('['))
        .map((it, at): [string, string] => [`server/src/features/clients/${name}-${at}.ts`, `import '${it}'`]),
    ]),
  ),
}

/** Targets of the planted lines, and imports that every rule must allow. */
const ALLOWED: [file: string, line: string][] = [
  ['contract/src/index.ts', "import { z } from 'zod'"],
  ['phrases/src/index.ts', "import type {} from '../../contract/src/index.ts'"],
  ['server/src/config/config.ts', ''],
  ['server/src/lib/clock.ts', ''],
  ['server/src/adapters/trip.ts', "import './round.ts'"],
  ['server/src/lib/trip.ts', "import type { Round } from './round.ts'\nexport type Trip = Round"],
  ['server/src/adapters/mail/smtp.ts', "import 'nodemailer'"],
  ['server/src/http/serve.ts', "import 'fastify'"],
  ['server/src/http/serve.test.ts', "import 'vitest'"],
  ['server/src/issuer/mount.ts', "import 'oidc-provider'"],
  ['server/src/features/sign-in/public.ts', "import './store.ts'"],
  ['server/src/features/sign-in/login.ts', "import './store.ts'"],
  ['server/src/features/sign-in/routes.ts', "import './login.ts'"],
  ['server/src/features/sign-in/store.ts', "import 'kysely'"],
  ['server/src/features/scope-catalog/public.ts', ''],
  ['server/src/features/clients/public.ts', "import '../sign-in/public.ts'"],
  ['server/test/people.ts', ''],
  ['web/src/enter.ts', ''],
  ['web/src/shell/frame.tsx', "import '../features/account/data.ts'"],
  ['web/src/features/account/data.ts', "import '../../lib/api.ts'"],
  ['web/src/lib/api.ts', "import '../../../contract/src/index.ts'"],
  ['web/src/features/clients/page.tsx', "import '../scopes/public.ts'"],
  ['web/src/features/scopes/public.ts', "import './queries.ts'"],
  ['web/src/features/scopes/queries.ts', ''],
  ['web/src/features/account/public.ts', ''],
]

let tree: string
let reports: Set<string>

beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), 'vrata-import-rules-'))
  for (const [file, line] of [...Object.values(PLANTED).flat(), ...ALLOWED]) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), `${line}\nexport {}\n`)
  }
  const { output } = await cruise(
    readdirSync(tree),
    { ...rules.options, ruleSet: { forbidden: rules.forbidden }, validate: true, baseDir: tree },
    rules.options?.enhancedResolveOptions,
  )
  reports = new Set((output as ICruiseResult).summary.violations.map(({ rule, from }) => `${from} ✗ ${rule.name}`))
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

describe('import rules', () => {
  it.each(Object.entries(PLANTED).flatMap(([rule, plants]) => plants.map(([file, line]) => ({ rule, file, line }))))(
    '$rule reports $file: $line',
    ({ rule, file }) => {
      expect([...reports].filter((report) => report.startsWith(`${file} `))).toContain(`${file} ✗ ${rule}`)
    },
  )

  it('reports no allowed import', () => {
    const allowed = new Set(ALLOWED.map(([file]) => file))
    allowed.delete('server/src/adapters/trip.ts')
    allowed.delete('server/src/lib/trip.ts')
    // Packages are not installed beside the planted tree, so none of them resolves.
    const reported = [...reports].filter((report) => !report.endsWith('no-unresolved-imports'))
    expect(reported.filter((report) => allowed.has(report.split(' ')[0] as string))).toEqual([])
  })

  it('has a planted violation for every rule', () => {
    const names = new Set(rules.forbidden?.map(({ name }) => name))
    expect([...names].filter((rule) => rule && !PLANTED[rule])).toEqual([])
  })

  it('lists every feature of the server in the feature order', () => {
    const known = new Set(FEATURE_ORDER.flat())
    expect(
      readdirSync(join(import.meta.dirname, '../../server/src/features'), { withFileTypes: true }).filter(
        (it) => it.isDirectory() && !known.has(it.name),
      ),
    ).toEqual([])
  })
})
