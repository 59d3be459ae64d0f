// Ways into a running server that a browser has, too: for scripts that furnish one.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, type Api, createApi } from '../contract/src/index.ts'

/** Where the server listens, the origin that its pages have, and the folder to which it writes mails. */
export type Door = { server: string; origin: string; outbox: string }

/** What an answer gives; a problem ends the script, because nobody sits at a form to mend it. */
export function done<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.problem.code}: ${answer.problem.message}`)
  return answer.data
}

/** A browser that keeps its cookies. */
export function caller({ server, origin }: Door): Api {
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
export async function tokenMailedTo(email: string, outbox: string): Promise<string> {
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

export async function untilReady(server: string): Promise<void> {
  while (!(await fetch(`${server}/readyz`).catch(() => undefined))?.ok) await wait(200)
}
