// The walls of docs/house.md as rules. Each has a name and a sentence; scripts/walls.test.ts plants a violation of every one.

/** Slices in their line: a slice may knock at the doors of those before it, never of those beside or after it. */
export const LINE = [
  ['media', 'scopes'],
  ['activity'],
  ['account'],
  ['security'],
  ['auth'],
  ['developers'],
  ['clients'],
  ['connections'],
  ['privacy'],
]

/** Parts of the outside world, and the only place (under server/src) that may import each. */
export const DRIVERS = {
  sqlite: { packages: ['node:sqlite', 'sqlite', 'better-sqlite3'], home: 'db/' },
  postgres: { packages: ['postgres', 'pg', 'kysely-postgres-js'], home: 'db/' },
  smtp: { packages: ['nodemailer'], home: 'ports/mail/' },
  socket: { packages: ['socket.io', 'socket.io-client', 'engine.io'], home: 'ports/realtime/' },
  pictures: { packages: ['sharp'], home: 'ports/media/' },
  s3: { packages: ['@aws-sdk/[^/]+', 'aws4fetch', 'minio'], home: 'ports/media/' },
  argon2: { packages: ['@node-rs/argon2'], home: 'ports/passwords(\\.ts|/)' },
  otp: { packages: ['otpauth', 'otplib'], home: 'ports/totp(\\.ts|/)' },
  passkeys: { packages: ['@simplewebauthn/server'], home: 'ports/passkeys\\.ts' },
  qr: { packages: ['lean-qr'], home: 'ports/qr\\.ts' },
  'user-agent': { packages: ['bowser'], home: 'ports/user-agent(\\.ts|/)' },
  zip: { packages: ['yazl'], home: 'ports/zip\\.ts' },
  places: { packages: ['maxmind'], home: 'ports/places\\.ts' },
  telephone: { packages: ['libphonenumber-js'], home: 'ports/telephone\\.ts' },
  uuid: { packages: ['uuid'], home: 'ports/ids\\.ts' },
  limiter: { packages: ['rate-limiter-flexible'], home: 'edge/' },
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

const rooms = [
  forbid(
    'contract-is-the-floor',
    'The contract stands on nothing but zod: both sides read it, so it can know neither.',
    { path: '^contract/src/', pathNot: TESTS },
    { pathNot: ['^contract/src/', packages('zod')] },
  ),
  forbid(
    'phrases-only-speak',
    'Phrases know the contract and one ICU parser; pages and mails come to them.',
    { path: '^phrases/src/', pathNot: TESTS },
    { pathNot: ['^(contract|phrases)/src/', packages('@formatjs/[^/]+'), '^(node:)?(fs|path|url)$'] },
  ),
  forbid(
    'web-never-meets-server',
    'Pages and server share the contract and the phrases, never each other.',
    '^web/',
    '^server/',
  ),
  forbid(
    'web-never-meets-server',
    'Pages and server share the contract and the phrases, never each other.',
    '^server/',
    '^web/',
  ),
  forbid(
    'journeys-use-the-front-door',
    'Journeys go through the real thing: they know the contract and the people, never the inside of server or web.',
    '^e2e/',
    '^(server|web)/src/',
  ),
  forbid('sign-in-stands-alone', 'The script for other people’s pages needs nothing but a browser.', '^sign-in/src/', {
    pathNot: '^sign-in/src/',
  }),
  forbid(
    'examples-are-strangers',
    'An example is somebody else’s app: it imports nothing of ours.',
    '^examples/',
    '^(contract|phrases|sign-in|server|web|e2e|bench|scripts)/',
  ),
  forbid(
    'edge-serves-everybody',
    'The edge is HTTP for all slices; app.ts hands it what it needs of them.',
    { path: '^server/src/edge/', pathNot: TESTS },
    '^server/src/(slices|issuer)/',
  ),
  forbid(
    'db-is-below',
    'The database layer knows no slice, no edge, no port.',
    { path: '^server/src/db/', pathNot: TESTS },
    '^server/src/(slices|issuer|edge|ports)/',
  ),
  forbid(
    'ports-face-outward',
    'A port wraps the outside world; it knows no slice and no edge.',
    { path: '^server/src/ports/', pathNot: TESTS },
    '^server/src/(slices|issuer|edge)/',
  ),
]

const slices = [
  forbid('slices-knock', 'Another slice is entered by its door.ts only.', '^server/src/slices/([^/]+)/', {
    path: '^server/src/slices/',
    pathNot: ['^server/src/slices/$1/', '^server/src/slices/[^/]+/door\\.ts$'],
  }),
  forbid(
    'slices-knock',
    'From outside, a slice is entered by its door.ts; app.ts alone mounts its routes.ts.',
    { path: '^(server|scripts|bench)/', pathNot: '^server/src/slices/' },
    { path: '^server/src/slices/', pathNot: '^server/src/slices/[^/]+/(door|routes)\\.ts$' },
  ),
  forbid(
    'slices-knock',
    'From outside, a slice is entered by its door.ts; app.ts alone mounts its routes.ts.',
    { path: '^(server|scripts|bench)/', pathNot: ['^server/src/slices/', '^server/src/app\\.ts$'] },
    '^server/src/slices/[^/]+/routes\\.ts$',
  ),
  ...LINE.flatMap((rank, place) =>
    rank.map((slice) =>
      forbid(
        'slices-stand-in-line',
        `${slice} may knock at ${LINE.slice(0, place).flat().join(', ') || 'no other slice'}; later ones hear of it by events.`,
        { path: `^server/src/slices/${slice}/`, pathNot: TESTS },
        {
          path: '^server/src/(slices|issuer)/',
          pathNot: `^server/src/slices/(${[slice, ...LINE.slice(0, place).flat()].join('|')})/`,
        },
      ),
    ),
  ),
  forbid(
    'stores-are-private',
    'A store belongs to the rules beside it; others ask at the door.',
    { path: '^server/src/(?:slices/([^/]+)|issuer|ports)/', pathNot: TESTS },
    { path: `^server/src/slices/[^/]+${STORES}`, pathNot: '^server/src/slices/$1/' },
  ),
  forbid(
    'stores-are-private',
    'A store belongs to the rules beside it; others ask at the door.',
    { path: '^(server|scripts|bench)/', pathNot: ['^server/src/slices/', '^server/src/(issuer|ports)/'] },
    `^server/src/slices/[^/]+${STORES}`,
  ),
  forbid(
    'only-stores-speak-sql',
    'SQL lives in db/, in stores and in the adapter of the engine; rules call functions with names.',
    {
      path: '^server/src/',
      pathNot: [TESTS, '^server/src/db/', STORES, '^server/src/ports/jobs/', '^server/src/issuer/'],
    },
    packages('kysely'),
  ),
]

const outside = [
  ...Object.entries(DRIVERS).map(([name, driver]) =>
    forbid(
      `drivers-stay-in-ports/${name}`,
      `${driver.packages[0]} is imported under server/src/${driver.home.replace(/[\\()|]/g, '')} only; a port has a name of ours.`,
      { path: '^(contract|phrases|server)/src/', pathNot: [TESTS, `^server/src/${driver.home}`] },
      packages(...driver.packages),
    ),
  ),
  forbid(
    'fastify-stays-at-the-edge',
    'Rules are plain functions: Fastify is known to the edge, to app.ts and main.ts, and where the engine is mounted.',
    { path: '^server/src/(slices|db|ports)/', pathNot: TESTS },
    packages('fastify', '@fastify/[^/]+'),
  ),
  forbid(
    'engine-behind-one-wall',
    'oidc-provider and jose live in server/src/issuer, so that the engine can be changed in one room.',
    { path: '^(contract|phrases|server|web)/src/', pathNot: [TESTS, '^server/src/issuer/'] },
    packages('oidc-provider', 'jose'),
  ),
]

const pages = [
  forbid(
    'features-do-not-visit',
    'A feature imports no other feature: what two need is a part in ui or a wire in lib.',
    '^web/src/features/([^/]+)/',
    { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
  ),
  forbid(
    'features-do-not-visit',
    'Features and wires do not know the frame that shows them.',
    '^web/src/(features|lib)/',
    { path: '^web/src/(shell/|routes\\.tsx$)' },
  ),
  forbid('features-do-not-visit', 'Wires know no feature.', '^web/src/lib/', { path: '^web/src/features/' }),
  forbid(
    'ui-is-dumb',
    'Parts have looks, focus and keys; words and data come as props.',
    { path: '^web/src/ui/', pathNot: TESTS },
    { pathNot: ['^web/src/ui/', packages('react', 'react-dom', '@base-ui/react'), '\\.(css|woff2|svg)$'] },
  ),
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rooms,
    ...slices,
    ...outside,
    ...pages,
    forbid(
      'no-cycles',
      'Two files that need each other are one file, or one of them announces an event. (Types may refer to each other.)',
      { pathNot: 'node_modules' },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid(
      'tests-stay-out',
      'What ships never imports tests, their people or their tools.',
      { path: '^(contract|phrases|sign-in|server|web)/src/', pathNot: TESTS },
      `${TESTS}|^(e2e|bench|scripts|examples)/|${packages('vitest', '@playwright/test', '@testing-library/[^/]+', 'smtp-server', 'openid-client', 'jsdom')}`,
    ),
    forbid(
      'nothing-is-missing',
      'Every import is found, so that no wall is passed by a misspelled path.',
      // Next.js weighs 340 MB: the test that runs this example fetches it.
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
