/**
 * `npm run oracle -- [number] [seed] [words of a case]`: answers single and random requests natively and by oidc-provider, from the
 * same rows, and prints the differences (decision 0096).
 */
import { compare, differenceOf, nameOf, randomCase, randomNumbers, singleCases } from './oracle.ts'
import { startTwoNodes } from './two-nodes.ts'

const [number = '2000', seed = String(Date.now() % 100_000), ...only] = process.argv.slice(2)
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
process.exit(different > 0 ? 1 : 0)
