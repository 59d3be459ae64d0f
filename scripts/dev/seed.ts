import { setTimeout as wait } from 'node:timers/promises'
import { type Api, clients, developers, security, signIn } from '../../contract/src/index.ts'
import { jadrolet, people, studio } from '../../server/test/people.ts'
import { type ApiClientOptions, apiClient, dataOf } from '../../testing/api-client.ts'
import { mailedLink, tokenIn } from '../../testing/mail.ts'

/** A running server, and the folder to which it writes mails. */
export type SeedTarget = ApiClientOptions & { outbox: string }

/**
 * Signs up the users of the tests and confirms their addresses; Ana registers an organization and an app. Changes nothing
 * for users that exist already. Returns a text with the credentials.
 */
export async function seed(target: SeedTarget): Promise<string> {
  await waitUntilReady(target.url)
  const lines = ['Users (email, password):']
  for (const person of Object.values(people)) {
    const { email, password, first_name, last_name, language } = person
    lines.push(`  ${email.padEnd(26)}  ${password}`)
    const call = apiClient(target)
    const signedUp = await call(signIn.register, { email, password, first_name, last_name, language })
    if (!signedUp.ok && signedUp.problem.code === 'email_exists') continue
    dataOf(signedUp)
    await confirmEmail(call, email, target.outbox)
    if (person === people.ana) lines.push(await registerApp(call))
  }
  return lines.join('\n')
}

export async function confirmEmail(call: Api, email: string, outbox: string): Promise<void> {
  dataOf(await call(security.verifyEmail, { token: tokenIn(await mailedLink(outbox, email, '/confirm-email/')) }))
}

async function registerApp(call: Api): Promise<string> {
  dataOf(await call(developers.createDeveloper, studio))
  const { client_id, client_secret } = dataOf(await call(clients.createClient, jadrolet))
  return `    runs the app: CLIENT_ID=${client_id} CLIENT_SECRET=${client_secret} npm run example`
}

export async function waitUntilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) await wait(200)
}
