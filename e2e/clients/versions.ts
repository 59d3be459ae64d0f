import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from './libraries.ts'

const PROGRAMS = join(import.meta.dirname, 'programs')

/** The version that the program of a library asks its registry for. */
export function versionOf({ key, name, package: id }: Library): string {
  const files: [file: string, pattern: string][] = [
    [join(PROGRAMS, key, 'requirements.txt'), `^${id}==(.+)$`],
    [join(PROGRAMS, key, 'go.mod'), `${id} v(\\S+)`],
    [join(PROGRAMS, key, 'pom.xml'), `<artifactId>${id}</artifactId>\\s*<version>(.+)</version>`],
    // A parent of Maven sets the versions of its dependencies.
    [join(PROGRAMS, key, 'pom.xml'), `<parent>[^]*?<version>(.+)</version>`],
    [join(import.meta.dirname, '../package.json'), `"${id}": "(.+)"`],
  ]
  for (const [file, pattern] of files) {
    const found = existsSync(file) && new RegExp(pattern, 'm').exec(readFileSync(file, 'utf8'))?.[1]
    if (found) return found
  }
  throw new Error(`No file says which version of ${name} is used.`)
}
