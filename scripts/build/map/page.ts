import { FEATURE_ORDER } from '../../../.dependency-cruiser.mjs'
import { type CallEntry, callEntries, endpointEntries, pageEntries } from './entries.ts'

const NOTE = '<!-- Generated from the contract and the sources by `npm run gen`. -->'

/** `docs/map.md`: where each address and each call is implemented. */
export function mapPage(): string {
  const calls = callEntries()
  return `# Map

${NOTE}

Which files implement an address. [Architecture](architecture.md#2-tree) explains the folders.

## Calls of the API

The contract declares a call, a rule of a feature implements it, and the listed files of the pages make it.

${table(
  ['Call', 'Contract', 'Rule', 'Pages'],
  calls.map(({ method, path, name, contract, rule, pages }) => [
    `\`${method} ${path}\``,
    link(name, contract),
    rule ? link(inFeature(rule), rule) : '**none**',
    pages.map((file) => link(inFeature(file), file)).join(', '),
  ]),
)}
## Prefixes that several features share

The paths are those of the specification ([api](specification/api.md)); a feature is a noun of the contract.

${table(
  ['Prefix', 'Features'],
  sharedPrefixes(calls).map(([prefix, features]) => [`\`${prefix}\``, features.join(', ')]),
)}
## Order of features

A feature imports only from features above it ([architecture](architecture.md#32-order-of-features)); those in one line do not import each
other.

${FEATURE_ORDER.map((features, index) => `${index + 1}. ${features.join(', ')}`).join('\n')}

## Pages

${table(
  ['Address', 'Page', 'Layout'],
  pageEntries().map(({ path, file, layouts, redirect }) => [
    `\`${path}\``,
    file ? link(inFeature(file), file) : redirect ? `redirects to \`${redirect}\`` : '**none**',
    layouts.map((layout) => link(inFeature(layout), layout)).join(', '),
  ]),
)}
## Endpoints of the protocol and other addresses

Each file registers the handler of an address. All other addresses are pages. How the provider handles its requests:
[issuer](../server/src/issuer/README.md).

${table(
  ['Address', 'Methods', 'File'],
  endpointEntries().map(({ path, methods, file }) => [`\`${path}\``, methods.join(', '), link(file, file)]),
)}`
}

/** First segments of paths whose calls belong to several features, with these features. */
function sharedPrefixes(calls: CallEntry[]): [prefix: string, features: string[]][] {
  const features = new Map<string, Set<string>>()
  for (const { path, rule = '' } of calls) {
    const prefix = path.split('/').slice(0, 3).join('/')
    const feature = inFeature(rule).split('/')[0] ?? ''
    features.set(prefix, (features.get(prefix) ?? new Set()).add(feature))
  }
  return [...features].filter(([, names]) => names.size > 1).map(([prefix, names]) => [prefix, [...names].sort()])
}

/** A path below `features`, or below `src` for files outside of them. */
function inFeature(file: string): string {
  return file.replace(/^.*?\/src\/(features\/)?/, '')
}

function link(text: string, file: string): string {
  return `[${text}](../${file})`
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  return [head, head.map(() => '---'), ...rows].map(line).join('')
}
