// Import rules (docs/architecture.md §3). Each has a name and a sentence; scripts/checks/import-rules.test.ts plants a violation of every one.

/** Order of the features: a feature may import public.ts of the features in earlier rows, never of those in its own or later rows. */
export const FEATURE_ORDER = [
  ['media', 'scope-catalog'],
  ['activity'],
  ['account'],
  ['security'],
  ['sessions'],
  ['sign-in'],
  ['account-invitations'],
  ['developers'],
  ['audit'],
  ['operators', 'branding'],
  ['groups', 'policy'],
  ['members'],
  ['clients'],
  ['scopes', 'statistics', 'client-diagnostics', 'client-registration', 'client-access', 'quick-start'],
  ['connections'],
  ['users'],
  ['privacy'],
  ['admin-clients'],
  ['admin-organizations'],
  ['admin-users'],
  ['system'],
  ['configuration'],
]

/** Features of the pages that show components of others, and which: they may import the public.ts of those. */
export const WEB_FEATURE_IMPORTS = {
  'admin-clients': ['clients'],
  'account-invitations': ['security'],
  clients: ['client-diagnostics', 'scopes', 'statistics'],
  'sign-in': ['security'],
}

/** Driver packages, and the only place under server/src that may import each. */
export const DRIVERS = {
  sqlite: { packages: ['node:sqlite', 'sqlite', 'better-sqlite3'], home: 'db/' },
  postgres: { packages: ['postgres', 'pg', 'kysely-postgres-js'], home: 'db/' },
  smtp: { packages: ['nodemailer'], home: 'adapters/mail/' },
  socket: { packages: ['socket.io', 'socket.io-client', 'engine.io'], home: 'adapters/realtime/' },
  pictures: { packages: ['sharp'], home: 'adapters/media/' },
  s3: { packages: ['@aws-sdk/[^/]+', 'aws4fetch', 'minio'], home: 'adapters/media/' },
  argon2: { packages: ['@node-rs/argon2'], home: 'adapters/passwords/' },
  otp: { packages: ['otpauth', 'otplib'], home: 'adapters/totp\\.ts' },
  passkeys: { packages: ['@simplewebauthn/server'], home: 'adapters/passkeys\\.ts' },
  qr: { packages: ['lean-qr'], home: 'adapters/qr-code\\.ts' },
  'user-agent': { packages: ['bowser'], home: 'adapters/user-agent\\.ts' },
  zip: { packages: ['yazl'], home: 'adapters/zip\\.ts' },
  geoip: { packages: ['maxmind'], home: 'adapters/geoip/' },
  telephone: { packages: ['libphonenumber-js'], home: 'adapters/telephone\\.ts' },
  uuid: { packages: ['uuid'], home: 'lib/ids\\.ts' },
  opentelemetry: { packages: ['@opentelemetry/[^/]+'], home: 'adapters/tracing/' },
}

const TESTS = '\\.(test|spec|conformance)\\.tsx?$|^[^/]+/test/'
const STORES = '/(store|[a-z-]+-store)\\.ts$'

/** Matches a package whether it is installed, known only by its types, or missing. */
const packages = (...names) => `(^|node_modules/)(@types/)?(${names.join('|')})(/|$)`

const forbid = (name, comment, from, to) => ({
  name,
  severity: 'error',
  comment,
  from: typeof from === 'string' ? { path: from } : from,
  to: typeof to === 'string' ? { path: to } : to,
})

const layers = [
  forbid(
    'contract-imports-only-zod',
    'The contract is read by server and pages, so it imports neither; its only package is zod.',
    { path: '^contract/src/', pathNot: TESTS },
    { pathNot: ['^contract/src/', packages('zod')] },
  ),
  forbid(
    'phrases-import-only-contract',
    'Phrases import the contract and one ICU parser; pages and mails import phrases.',
    { path: '^phrases/src/', pathNot: TESTS },
    { pathNot: ['^(contract|phrases)/src/', packages('@formatjs/[^/]+'), '^(node:)?(fs|path|url)$'] },
  ),
  forbid(
    'web-and-server-are-separate',
    'Pages and server share the contract and the phrases; neither imports the other.',
    '^web/',
    '^server/',
  ),
  forbid(
    'web-and-server-are-separate',
    'Pages and server share the contract and the phrases; neither imports the other.',
    '^server/',
    '^web/',
  ),
  forbid(
    'journeys-import-no-source',
    'Journeys use the running product: they import the contract and test data, never the source of server or web.',
    '^e2e/',
    '^(server|web)/src/',
  ),
  forbid(
    'testing-imports-only-contract',
    'testing/ serves the tests of every folder, so it imports none of them.',
    '^testing/',
    '^(phrases|sign-in|server|web|e2e|bench|scripts|examples)/',
  ),
  forbid('sign-in-is-standalone', 'The script that third-party pages embed has no imports.', '^sign-in/src/', {
    pathNot: '^sign-in/src/',
  }),
  forbid(
    'examples-are-standalone',
    'An example is a third-party app: it imports nothing of this repository.',
    '^examples/',
    '^(contract|phrases|sign-in|server|web|testing|e2e|bench|scripts)/',
  ),
  forbid(
    'http-imports-no-feature',
    'http/ serves every feature; app.ts passes it the functions that it needs of them.',
    { path: '^server/src/http/', pathNot: TESTS },
    '^server/src/(features|issuer)/',
  ),
  forbid(
    'db-is-the-lowest-layer',
    'db/ imports no feature, no http/ and no adapter.',
    { path: '^server/src/db/', pathNot: TESTS },
    '^server/src/(features|issuer|http|adapters)/',
  ),
  forbid(
    'adapters-import-no-feature',
    'An adapter wraps an external system; it imports no feature and no http/.',
    { path: '^server/src/adapters/', pathNot: TESTS },
    '^server/src/(features|issuer|http)/',
  ),
]

const features = [
  forbid(
    'features-import-public-ts',
    'A feature imports of another feature public.ts only.',
    '^server/src/features/([^/]+)/',
    {
      path: '^server/src/features/[^/]+/',
      pathNot: ['^server/src/features/$1/', '^server/src/features/[^/]+/public\\.ts$'],
    },
  ),
  forbid(
    'features-import-public-ts',
    'Other code imports of a feature public.ts only; app.ts and operator-calls.ts alone also import routes.ts.',
    { path: '^(server|scripts|bench)/', pathNot: '^server/src/features/' },
    { path: '^server/src/features/[^/]+/', pathNot: '^server/src/features/[^/]+/(public|routes)\\.ts$' },
  ),
  forbid(
    'features-import-public-ts',
    'Other code imports of a feature public.ts only; app.ts and operator-calls.ts alone also import routes.ts.',
    { path: '^(server|scripts|bench)/', pathNot: ['^server/src/features/', '^server/src/(app|operator-calls)\\.ts$'] },
    '^server/src/features/[^/]+/routes\\.ts$',
  ),
  ...FEATURE_ORDER.flatMap((row, place) =>
    row.map((feature) =>
      forbid(
        'feature-order',
        `${feature} may import ${FEATURE_ORDER.slice(0, place).flat().join(', ') || 'no other feature'}; later features listen to its events.`,
        { path: `^server/src/features/${feature}/`, pathNot: TESTS },
        {
          path: '^server/src/(features/[^/]+|issuer)/',
          pathNot: `^server/src/features/(${[feature, ...FEATURE_ORDER.slice(0, place).flat()].join('|')})/`,
        },
      ),
    ),
  ),
  forbid(
    'stores-are-private',
    'A store is imported by the rules of its own feature only; other code imports public.ts.',
    { path: '^server/src/(?:features/([^/]+)|issuer|adapters)/', pathNot: TESTS },
    { path: `^server/src/features/.+${STORES}`, pathNot: '^server/src/features/$1/' },
  ),
  forbid(
    'stores-are-private',
    'A store is imported by the rules of its own feature only; other code imports public.ts.',
    { path: '^(server|scripts|bench)/', pathNot: ['^server/src/features/', '^server/src/(issuer|adapters)/'] },
    `^server/src/features/.+${STORES}`,
  ),
  forbid(
    'sql-only-in-stores',
    'SQL lives in db/, in stores, in the job queue and in the issuer; rules call named functions.',
    {
      path: '^server/src/',
      pathNot: [TESTS, '^server/src/db/', STORES, '^server/src/adapters/jobs/', '^server/src/issuer/'],
    },
    packages('kysely'),
  ),
]

const drivers = [
  ...Object.entries(DRIVERS).map(([name, driver]) =>
    forbid(
      `drivers-only-in-adapters/${name}`,
      `${driver.packages[0]} is imported under server/src/${driver.home.replace(/[\\()|]/g, '')} only.`,
      { path: '^(contract|phrases|server)/src/', pathNot: [TESTS, `^server/src/${driver.home}`] },
      packages(...driver.packages),
    ),
  ),
  forbid(
    'fastify-only-in-http',
    'Rules are plain functions: Fastify is imported by http/, app.ts, main.ts and the issuer only.',
    { path: '^server/src/(features|db|adapters)/', pathNot: TESTS },
    packages('fastify', '@fastify/[^/]+'),
  ),
  forbid(
    'oidc-provider-only-in-issuer',
    'oidc-provider and jose are imported by server/src/issuer only, so that the provider can be replaced in one folder.',
    { path: '^(contract|phrases|server|web)/src/', pathNot: [TESTS, '^server/src/issuer/'] },
    packages('oidc-provider', 'jose'),
  ),
]

const pages = [
  forbid(
    'web-features-are-independent',
    'A feature imports no other feature: what two need lives in ui/ or lib/. Exceptions: WEB_FEATURE_IMPORTS.',
    {
      path: '^web/src/features/([^/]+)/',
      pathNot: `^web/src/features/(${Object.keys(WEB_FEATURE_IMPORTS).join('|')})/`,
    },
    { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
  ),
  ...Object.entries(WEB_FEATURE_IMPORTS).map(([feature, others]) =>
    forbid(
      'web-features-are-independent',
      `${feature} imports public.ts of ${others.join(', ')} and of no other feature.`,
      `^web/src/features/${feature}/`,
      { path: '^web/src/features/', pathNot: `^web/src/features/(${feature}/|(${others.join('|')})/public\\.ts$)` },
    ),
  ),
  forbid(
    'web-features-are-independent',
    'Features and lib/ do not import the shell that shows them.',
    '^web/src/(features|lib)/',
    { path: '^web/src/(shell/|routes\\.tsx$)' },
  ),
  forbid('web-features-are-independent', 'lib/ imports no feature.', '^web/src/lib/', { path: '^web/src/features/' }),
  forbid(
    'ui-takes-props-only',
    'ui/ components have styles, focus and keys; texts and data come as props.',
    { path: '^web/src/ui/', pathNot: TESTS },
    { pathNot: ['^web/src/ui/', packages('react', 'react-dom', '@base-ui/react'), '\\.(css|woff2|svg)$'] },
  ),
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layers,
    ...features,
    ...drivers,
    ...pages,
    forbid(
      'no-circular-imports',
      'Two files that import each other, even types only, are one file, or one of them emits an event.',
      { pathNot: 'node_modules' },
      { circular: true },
    ),
    forbid(
      'no-circular-imports',
      'In the issuer, types form no circle either.',
      { path: '^server/src/issuer/', pathNot: TESTS },
      { circular: true },
    ),
    forbid(
      'no-test-code-in-production',
      'Production code never imports tests, test data or test tools.',
      { path: '^(contract|phrases|sign-in|server|web)/src/', pathNot: TESTS },
      `${TESTS}|^(testing|e2e|bench|scripts|examples)/|${packages('vitest', '@playwright/test', '@testing-library/[^/]+', 'smtp-server', 'openid-client', 'jsdom')}`,
    ),
    forbid(
      'no-unresolved-imports',
      'Every import resolves, so that no rule is passed by a misspelled path.',
      // Next.js weighs 340 MB; the test that runs this example installs it.
      { pathNot: ['node_modules', '^examples/quick-starts/nextjs/'] },
      { couldNotResolve: true, pathNot: '^virtual:|^[{]ISSUER[}]' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|generated)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
