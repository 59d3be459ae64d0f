import { expect } from '@playwright/test'
import { account, groups, operators, security, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { apiClient, dataOf } from '../../testing/api-client.ts'
import { tokenIn } from '../../testing/mail.ts'
import { authenticatorApp } from '../authenticator.ts'
import { browserApi } from '../browser-api.ts'
import type { TestServer } from '../server/test-server.ts'
import { test } from './fixtures.ts'
import { LIBRARIES, tagOf } from './libraries.ts'

const proxy = LIBRARIES.find(({ key }) => key === 'oauth2-proxy')
if (!proxy) throw new Error('oauth2-proxy is not among the libraries')

/** Ana, the first operator of the installation. */
async function becomeOperator(server: TestServer) {
  const call = apiClient({ url: server.url })
  const { email } = dataOf(await call(signIn.register, people.ana))
  dataOf(await call(security.verifyEmail, { token: tokenIn(await server.mailedLink(email, '/confirm-email/')) }))
  const { secret } = dataOf(await call(security.enableOtp))
  dataOf(await call(security.confirmOtp, { otp_token: authenticatorApp(secret).code() }))
  dataOf(await call(operators.completeSetup, { token: tokenIn(await server.setupLink()) }))
  return call
}

test('oauth2-proxy with --allowed-group admits only members', {
  tag: tagOf(proxy.registry),
}, async ({ page, context, server, start }) => {
  const operator = await becomeOperator(server)
  dataOf(await operator(groups.createGroup, { key: 'staff', name: 'Staff' }))
  const { id: user_id } = dataOf(await browserApi(context, server)(account.getAccount, {}))
  // It asks for the scope `groups` by itself.
  const { home } = await start(proxy, {
    scopes: ['openid', 'profile', 'email', 'groups'],
    environment: { OAUTH2_PROXY_ALLOWED_GROUPS: 'staff' },
  })
  const signInToProxy = async () => {
    await page.goto(home)
    await page.getByRole('button', { name: 'Sign in with OpenID Connect' }).click()
  }

  await signInToProxy()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Forbidden')).toBeVisible()
  dataOf(await operator(groups.addGroupMember, { key: 'staff', user_id }))
  await signInToProxy()
  await expect(page.getByText(people.cvetka.email)).toBeVisible()
})
