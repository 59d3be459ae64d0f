import { type Api, account, auth, clients, developers } from '../contract/src/index.ts'
import { jadrolet, people, studio } from '../server/test/people.ts'
import { caller, type Door, done, tokenMailedTo, untilReady } from './front-door.ts'

/**
 * Lets the people of the tests in through the front door, as anybody would come: they sign up and confirm their
 * addresses, and Ana registers her app. Once they live there nothing happens. Answers what to know for signing in.
 */
export async function settle(door: Door): Promise<string> {
  await untilReady(door.server)
  const lines = ['Sign in as']
  for (const person of Object.values(people)) {
    const { email, password, first_name, last_name, language } = person
    lines.push(`  ${email}  ${password}`)
    const call = caller(door)
    const signedUp = await call(auth.register, { email, password, first_name, last_name, language })
    if (!signedUp.ok && signedUp.problem.code === 'email_exists') continue
    done(signedUp)
    done(await call(account.verifyEmail, { token: await tokenMailedTo(email, door.outbox) }))
    if (person === people.ana) lines.push(await registerApp(call))
  }
  return lines.join('\n')
}

async function registerApp(call: Api): Promise<string> {
  done(await call(developers.createDeveloper, studio))
  const { client_id, client_secret } = done(await call(clients.createClient, jadrolet))
  return `    whose app says: CLIENT_ID=${client_id} CLIENT_SECRET=${client_secret} npm run example`
}
