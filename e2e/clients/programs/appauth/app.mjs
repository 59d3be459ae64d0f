// Bundles the program, because AppAuth-JS is published for bundlers, and runs it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const folder = await mkdtemp(join(tmpdir(), 'vrata-appauth-'))
const file = join(folder, 'sign-in.mjs')
const bundle = await rolldown({ input: join(import.meta.dirname, 'sign-in.mjs'), platform: 'node', logLevel: 'silent' })
await bundle.write({ file, format: 'esm', codeSplitting: false })
await import(pathToFileURL(file).href)
await rm(folder, { recursive: true })
