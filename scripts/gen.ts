// `npm run gen`: writes docs/reference anew; `npm run check` fails while it differs from the contract.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './command.ts'
import { generated } from './generated.ts'

for (const [file, text] of Object.entries(generated())) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true })
  writeFileSync(join(ROOT, file), text)
  console.log(file)
}
