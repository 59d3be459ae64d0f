import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './run-command.ts'

/** `npm run example -- <name>` runs one of examples/; without a name the website of the README. */
const [, , name = 'web-app'] = process.argv
const file = join(ROOT, 'examples', basename(name), 'main.ts')
if (existsSync(file)) {
  await import(pathToFileURL(file).href)
} else {
  const names = globSync('examples/*/main.ts', { cwd: ROOT }).map((path) => basename(dirname(path)))
  console.error(`There is no example ${name}. There are: ${names.sort().join(', ')}.`)
  process.exitCode = 1
}
