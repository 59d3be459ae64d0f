import { expect, test } from 'vitest'
import { checkCitations } from './citations.ts'

const SPECIFICATION = `# API

## 2. Sign-in and session

### 2.1 Sessions and cookies

## 6. Authentication

- **6.2.1–6.2.3, 15.3.2** Passwords.
- **6.3.8** Timing.
`

/** Checks one file beside a specification whose documents all have the sections above. */
function check(file: string, text: string): string[] {
  const planted: Record<string, string> = { 'docs/decisions/0007-lists.md': '# Lists', [file]: text }
  for (const name of ['product', 'api', 'protocol', 'security', 'design', 'pages', 'performance']) {
    planted[`docs/specification/${name}.md`] = SPECIFICATION
  }
  planted['docs/architecture.md'] = SPECIFICATION
  const files = Object.keys(planted)
  return checkCitations({
    files,
    read: (name) => planted[name] ?? '',
    exists: (path) => files.some((name) => name === path || name.startsWith(`${path}/`)),
  })
}

const code = (text: string) => check('server/src/a.ts', text)

test.each([
  '/** Rotates the session cookie (api §2.1). */',
  '/** Two requirements (security §6.2.2, §15.3.2; product §2). */',
  '// The same time for both (security §6.3.8 and §6.2.3).',
  '/** Where everything is (architecture §6). */',
  '/** PKCE (RFC 7636 §4.2; OIDC Core §3.1.2.1). */',
  '// Lists are short (decision 0007).',
  '// The API §2.1 describes it.',
  '// A page of the design.',
])('accepts %s', (text) => {
  expect(code(text)).toEqual([])
})

test.each([
  ['a section that does not exist', '// (api §2.9)', 'server/src/a.ts:1 api §2.9: no such section'],
  ['one of several sections', '// (security §6.2.1, §6.2.4)', 'server/src/a.ts:1 security §6.2.4: no such section'],
  ['a section of the architecture', '// (architecture §9)', 'server/src/a.ts:1 architecture §9: no such section'],
  ['a citation on a later line', '\n\n// (protocol §3)', 'server/src/a.ts:3 protocol §3: no such section'],
  ['a wrapped citation', '/**\n * (design\n * §7)\n */', 'server/src/a.ts:2 design §7: no such section'],
  ['a record that does not exist', '// decisions 0007 and 0999', 'server/src/a.ts:1 decision 0999: no such record'],
])('reports %s', (_, text, report) => {
  expect(code(text)).toEqual([report])
})

test.each([
  '/** (api.md §2) */',
  '/** (`api.md` §6) */',
  '/** (security.md 6.3.8) */',
  '/** (security.md, ASVS 7.5) */',
  '/** (security.md F5) */',
  '/** (performance.md W7) */',
  '/** (security.md, "Decided") */',
  '/** (security.md\n * 4.4.1) */',
  '/** (oidc.md) */',
  '/** (frontend.md §8) */',
  '/** Specification §3. */',
  '/** The warning of the specification (§8). */',
  "describe('frontend §5 a page', () => {})",
  "test('§6 an origin', () => {})",
  '// issue 3, mails',
  '// ("As issue 5 says")',
])('reports the outdated form %s', (text) => {
  expect(code(text)).toEqual([expect.stringContaining('outdated form')])
})

test('reports a link that leads nowhere', () => {
  const text = 'See [a](decisions/0007-lists.md), [b](decisions/0008.md#x), [c](https://example.com/x)'
  expect(check('docs/README.md', text)).toEqual(['docs/README.md:1 decisions/0008.md#x: the link leads nowhere'])
})

test('reports a link to a heading that does not exist', () => {
  const text = '# `GET /x`, and *more*\n\n## Čas\n\n## Čas\n\n[a](#get-x-and-more) [b](#čas-1) [c](#čas-2)\n'
  expect(
    check('docs/README.md', `${text}[d](decisions/0007-lists.md#lists) [e](decisions/0007-lists.md#order)`),
  ).toEqual([
    'docs/README.md:7 #čas-2: no such heading',
    'docs/README.md:8 decisions/0007-lists.md#order: no such heading',
  ])
})

test('takes a link in an example for text', () => {
  expect(check('docs/README.md', '`[a](b.md)`\n\n```\n[c](d.md)\n```\n')).toEqual([])
})

test('reads no links in code', () => {
  expect(code("const link = '[a](b.md)'")).toEqual([])
})
