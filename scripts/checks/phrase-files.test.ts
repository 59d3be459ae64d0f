import { expect, test } from 'vitest'
import { checkPhraseFiles } from './phrase-files.ts'

const page = (phrases: string) => `
const USER: Row[] = [
  { path: '/home', needs: 'session', phrases: [${phrases}], page: page(() => import('./a.tsx'), 'A') },
]`

const check = (phrases: string, modules: Record<string, string>) =>
  checkPhraseFiles({ 'routes.tsx': page(phrases), ...modules })

test('accepts a page that loads its phrases and a part that loads its own', () => {
  expect(
    check(`'home'`, {
      'a.tsx': `import { B } from './b.tsx'\nt('home.title'); t('ui.close'); t(\`problems.\${code}\`)`,
      'b.tsx': `await Promise.all([import('./c.tsx'), i18n.load(['second-factor'])])`,
      'c.tsx': `t('second-factor.code')`,
    }),
  ).toEqual([])
})

test.each([
  ['its own component', { 'a.tsx': `t('security.title')` }],
  ['an imported component', { 'a.tsx': `import { B } from './b.tsx'`, 'b.tsx': `t('security.' + method)` }],
  ['a component that loads on demand', { 'a.tsx': `import('./b.tsx')`, 'b.tsx': `t('security.title')` }],
])('reports phrases of %s that nothing loads', (_what, modules) => {
  const file = 'b.tsx' in modules ? 'b.tsx' : 'a.tsx'
  expect(check(`'home'`, modules)).toEqual([`/home shows phrases of security (${file}) but does not load them`])
})
