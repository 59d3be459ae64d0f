import { useRouter } from '@tanstack/react-router'
import type { UserInfo } from '@vrata/contract/account'
import { paths } from '@vrata/contract/page-addresses'
import { safeRedirect } from '@vrata/contract/redirect'
import { useAppContext } from '../../lib/app-context.tsx'
import { passkeysSupported } from '../../lib/passkeys/passkeys-supported.ts'
import { setUser } from '../../lib/session.ts'
import { useContinue } from '../../lib/use-continue.ts'
import { useSignInQuery } from './use-sign-in-query.ts'

/** Last step of every sign-in. Resolves after navigation. After a sign-in with the password a passkey is offered once. */
export function useCompleteSignIn() {
  const context = useAppContext()
  const continueTo = useContinue()
  const router = useRouter()
  const { redirect } = useSignInQuery()
  return async ({ user }: { user: UserInfo }, byPassword = false): Promise<void> => {
    setUser(context, user)
    const [language] = user.language
    // The API may be at another host, where it cannot set the cookie of the pages. Without the phrases the pages keep their language.
    if (language && language !== context.i18n.now().locale) await context.showLanguage(language).catch(() => {})
    if (byPassword && (await mayOfferPasskey(user)))
      await router.navigate({ href: paths.addPasskey(safeRedirect(redirect)), replace: true })
    else await continueTo()
  }
}

/** Only where the device itself can store passkeys. */
async function mayOfferPasskey({ email_verified, passkeys, passkey_offered }: UserInfo): Promise<boolean> {
  if (!email_verified || passkeys || passkey_offered || !passkeysSupported()) return false
  return await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false)
}
