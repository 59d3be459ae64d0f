import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readDocs } from './docs-plugin.ts'
import { readDocPage } from './docs-tree.ts'

const read = (markdown: string) => readDocPage(markdown, (href) => href)

describe('readDocPage', () => {
  test('produces data and rejects HTML', () => {
    expect(read('# T\n\nA **b** `<c>` & [d](e.md).').blocks).toEqual([
      ['p', ['A ', ['b', ['b']], ' ', ['c', '<c>'], ' & ', ['a', 'e.md', ['d']], '.']],
    ])
    expect(() => read('# T\n\n<img src=x onerror=alert(1)>')).toThrow('no way to draw')
    expect(() => read('# T\n\nA <b>b</b>')).toThrow('no way to draw')
  })

  test('keeps code unchanged', () => {
    expect(read('# T\n\n```js a.mjs\nif (a && b) "<c>"\n```').blocks).toEqual([
      ['code', 'js a.mjs', 'if (a && b) "<c>"'],
    ])
  })

  test('gives every heading a unique anchor', () => {
    expect([...read('# T\n\n## At the end: `x_y`\n').anchors]).toEqual(['', 'at-the-end-x_y'])
    expect(() => read('# T\n\n## A\n\n## A\n')).toThrow('same anchor')
  })

  test('requires a title', () => {
    expect(() => read('## T')).toThrow('begins with its title')
  })
})

describe('readDocs', () => {
  let docs: string
  beforeEach(async () => {
    docs = await mkdtemp(join(tmpdir(), 'vrata-docs-'))
    await mkdir(join(docs, 'developers'))
  })
  afterEach(() => rm(docs, { recursive: true }))
  const write = (page: string, text: string) => writeFile(join(docs, 'developers', `${page}.md`), text)

  test('reads the contents page', async () => {
    await write('README', '# D\n\n## First\n\n- [A](a.md): one.\n')
    await write('a', '# A\n')
    expect((await readDocs(docs)).contents).toEqual([
      { title: 'First', pages: [{ page: 'a', title: 'A', text: 'one.' }] },
    ])
  })

  test('rejects broken links and unlisted pages', async () => {
    await write('README', '# D\n\n## First\n\n- [A](a.md)\n')
    await write('a', '# A\n\n[b](b.md)\n')
    await expect(readDocs(docs)).rejects.toThrow('leads nowhere: b.md')
    await write('b', '# B\n\n[c](a.md#gone)\n')
    await expect(readDocs(docs)).rejects.toThrow('leads nowhere: a#gone')
    await write('b', '# B\n')
    await expect(readDocs(docs)).rejects.toThrow('forgets b')
    await write('b', '# B\n\n[c](javascript:alert%281%29)\n')
    await expect(readDocs(docs)).rejects.toThrow('leads nowhere')
  })
})
