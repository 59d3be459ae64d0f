import { type Answer, account, auth, clients, developers, security } from '@vrata/contract'
import { jadrolet, type PersonData, studio } from '../server/test/people.ts'
import { authenticatorApp } from './authenticator.ts'
import type { Visitor } from './fixtures.ts'
import type { House } from './house.ts'

/** What an answer gives; a story that takes it for granted ends at a problem. */
export function done<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.problem.code}: ${answer.problem.message}`)
  return answer.data
}

/** Signs somebody up in this browser; their address is not confirmed. */
export async function signUp({ call }: Visitor, person: PersonData) {
  const { email, password, first_name, last_name, language } = person
  return done(await call(auth.register, { email, password, first_name, last_name, language }))
}

/** Signs somebody up and confirms their address. */
export async function settle(house: House, visitor: Visitor, person: PersonData) {
  await signUp(visitor, person)
  const link = await house.mailedLink(person.email, '/confirm-email/')
  done(await visitor.call(account.verifyEmail, { token: link.split('/').at(-1) ?? '' }))
}

/** Turns two-step sign-in on; answers the app that shows its codes. */
export async function enableSecondFactor({ call }: Visitor) {
  const { secret } = done(await call(security.enableOtp))
  const app = authenticatorApp(secret)
  done(await call(security.confirmOtp, { otp_token: app.code() }))
  return app
}

/** Gives a settled person an organisation and an app. */
export async function registerApp({ call }: Visitor, redirect_uri?: string) {
  const { developer_id } = done(await call(developers.createDeveloper, { name: studio.name }))
  const client = done(await call(clients.createClient, { name: jadrolet.name }))
  if (redirect_uri) done(await call(clients.addRedirectUri, { id: client.client_id, redirect_uri }))
  return { ...client, developer_id }
}
