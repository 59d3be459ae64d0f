import { LIBRARIES, type Library } from '../../e2e/clients/libraries.ts'
import { versionOf } from '../../e2e/clients/versions.ts'

/** `docs/developers/libraries.md`: the client libraries that `npm run clients` tests. */
export function clientLibrariesPage(): string {
  return `# Client libraries

<!-- Generated from e2e/clients/libraries.ts by \`npm run gen\`. -->

Any library for OAuth 2.1 or OpenID Connect works with Vrata. The tests of Vrata run a program with each of the following
ones, written as the first example of the library's own documentation: a person signs in, the program shows their name and
email address, renews the tokens, and signs the person out at Vrata.

${table(
  ['Library', 'Version', 'From', 'Kind of app', 'Renews with', 'Sign-out URL made by'],
  LIBRARIES.map((library) => [
    library.name,
    versionOf(library),
    library.registry,
    TYPES[library.type],
    library.renews ?? 'no function for it',
    library.signsOut,
  ]),
)}
A renewal with \`prompt=none\` is a new authorization request that shows nothing. See [Tokens and refresh](tokens.md) and
[Signing out](sign-out.md).

## Settings

The other programs have only the settings of the first example, and their apps those of a new app. While Vrata runs on
\`http\`, openid-client and oauth4webapi also need \`allowInsecureRequests\`.

${table(['Library', 'In your program', 'In the app'], LIBRARIES.filter(needsSettings).map(settingsRow))}
## Signature of the ID token

New apps sign ID tokens with RS256, which every library accepts. ES256 and EdDSA are smaller and faster to sign. These
libraries accept them with the same program:

${table(
  ['Library', 'RS256', 'ES256', 'EdDSA'],
  LIBRARIES.map(({ name, algorithms }) => [
    name,
    ...(['RS256', 'ES256', 'EdDSA'] as const).map((algorithm) => (algorithms.includes(algorithm) ? 'yes' : 'no')),
  ]),
)}`
    .trimEnd()
    .concat('\n')
}

const TYPES = { web: 'web app', spa: 'single-page app', native: 'mobile or desktop app', service: 'service' }

function needsSettings({ needs, settings }: Library): boolean {
  return needs !== undefined || settings !== undefined
}

function settingsRow({ name, needs = '', settings }: Library): string[] {
  return [name, needs, settings?.sentence ?? 'nothing']
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}
