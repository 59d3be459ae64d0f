import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readLibrary } from './guide-plugin.ts'
import { readGuide } from './guide-tree.ts'

const read = (markdown: string) => readGuide(markdown, (href) => href)

describe('a page of documentation', () => {
  test('becomes data: nothing in it can be HTML', () => {
    expect(read('# T\n\nA **b** `<c>` & [d](e.md).').blocks).toEqual([
      ['p', ['A ', ['b', ['b']], ' ', ['c', '<c>'], ' & ', ['a', 'e.md', ['d']], '.']],
    ])
    expect(() => read('# T\n\n<img src=x onerror=alert(1)>')).toThrow('no way to draw')
    expect(() => read('# T\n\nA <b>b</b>')).toThrow('no way to draw')
  })

  test('keeps code as it is written', () => {
    expect(read('# T\n\n```js a.mjs\nif (a && b) "<c>"\n```').blocks).toEqual([
      ['code', 'js a.mjs', 'if (a && b) "<c>"'],
    ])
  })

  test('has an anchor for every heading, and only one', () => {
    expect([...read('# T\n\n## At the end: `x_y`\n').anchors]).toEqual(['', 'at-the-end-x_y'])
    expect(() => read('# T\n\n## A\n\n## A\n')).toThrow('same anchor')
  })

  test('begins with its title', () => {
    expect(() => read('## T')).toThrow('begins with its title')
  })
})

describe('the documentation', () => {
  let docs: string
  beforeEach(async () => {
    docs = await mkdtemp(join(tmpdir(), 'vrata-docs-'))
    await mkdir(join(docs, 'developers'))
  })
  afterEach(() => rm(docs, { recursive: true }))
  const write = (page: string, text: string) => writeFile(join(docs, 'developers', `${page}.md`), text)

  test('knows its contents', async () => {
    await write('README', '# D\n\n## First\n\n- [A](a.md): one.\n')
    await write('a', '# A\n')
    expect((await readLibrary(docs)).contents).toEqual([
      { title: 'First', pages: [{ page: 'a', title: 'A', text: 'one.' }] },
    ])
  })

  test('stops the build for a link that leads nowhere, and for a page that is not listed', async () => {
    await write('README', '# D\n\n## First\n\n- [A](a.md)\n')
    await write('a', '# A\n\n[b](b.md)\n')
    await expect(readLibrary(docs)).rejects.toThrow('leads nowhere: b.md')
    await write('b', '# B\n\n[c](a.md#gone)\n')
    await expect(readLibrary(docs)).rejects.toThrow('leads nowhere: a#gone')
    await write('b', '# B\n')
    await expect(readLibrary(docs)).rejects.toThrow('forgets b')
    await write('b', '# B\n\n[c](javascript:alert%281%29)\n')
    await expect(readLibrary(docs)).rejects.toThrow('leads nowhere')
  })
})
