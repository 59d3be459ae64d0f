// `npm run gen`: regenerates the files of generated.ts; `npm run check` fails while they are outdated.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generated } from './build/generated.ts'
import { ROOT } from './run-command.ts'

for (const [file, text] of Object.entries(generated())) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true })
  writeFileSync(join(ROOT, file), text)
  console.log(file)
}
