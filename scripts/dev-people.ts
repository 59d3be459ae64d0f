import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, type Api, account, auth, clients, createApi, developers } from '../contract/src/index.ts'
import { jadrolet, people, studio } from '../server/test/people.ts'

type Door = { server: string; origin: string; outbox: string }

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

/** What an answer gives; a problem ends the script, because nobody sits at a form to mend it. */
function done<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.problem.code}: ${answer.problem.message}`)
  return answer.data
}

/** A browser that keeps its cookies. */
function caller({ server, origin }: Door): Api {
  const cookies = new Map<string, string>()
  return createApi(async ({ method, url, body }) => {
    const response = await fetch(server + url, {
      method,
      headers: {
        origin,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return { status: response.status, json: await response.json(), retry_after: response.headers.get('retry-after') }
  })
}

/** Mails leave through a job shortly after what they tell about. */
async function tokenMailedTo(email: string, outbox: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    for (const file of await readdir(outbox).catch(() => [])) {
      // Quoted-printable breaks long lines with "=".
      const mail = (await readFile(join(outbox, file), 'utf8')).replaceAll(/=\r?\n/g, '')
      const token = mail.includes(email) && /\/confirm-email\/([\w-]+)/.exec(mail)?.[1]
      if (token) return token
    }
    await wait(100)
  }
  throw new Error(`No mail for ${email} came to ${outbox}`)
}

async function untilReady(server: string): Promise<void> {
  while (!(await fetch(`${server}/readyz`).catch(() => undefined))?.ok) await wait(200)
}
