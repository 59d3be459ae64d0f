/**
 * `npm run oracle -- [postgres] [number] [seed] [words of a case]`: answers single and random requests natively and by oidc-provider,
 * from the same rows, and prints the differences (decision 0096). On SQLite, or on a temporary PostgreSQL cluster.
 */
import { startPostgres } from '../../../scripts/suites/postgres.ts'

const onPostgres = process.argv[2] === 'postgres'
const [number = '2000', seed = String(Date.now() % 100_000), ...only] = process.argv.slice(onPostgres ? 3 : 2)
const postgres = onPostgres ? await startPostgres() : undefined
// The modules read which database is tested when they are loaded.
if (postgres) Object.assign(process.env, { VRATA_TEST_DATABASE: 'postgres', VRATA_TEST_PG_URL: postgres.url })
const { compare, differenceOf, nameOf, randomCase, randomNumbers, singleCases } = await import('./oracle.ts')
const { startTwoNodes } = await import('./two-nodes.ts')

const random = randomNumbers(Number(seed))
const nodes = await startTwoNodes()
let [native, different] = [0, 0]
const cases = [...singleCases(), ...Array.from({ length: Number(number) }, () => randomCase(random))].filter((one) =>
  only.every((word) => nameOf(one).includes(word)),
)
for (const one of cases) {
  const compared = await compare(nodes, one, random() < 0.5 ? 'native' : 'engine')
  native += compared.nativeAnswers
  const difference = differenceOf(compared)
  if (difference === undefined) continue
  different += 1
  if (different <= 10) console.log(`${nameOf(one)}\n${difference}\n`)
}
console.log(`${cases.length} cases, seed ${seed}, ${native} native answers, ${different} different`)
await nodes.close()
await postgres?.stop()
process.exit(different > 0 ? 1 : 0)
