import { useRouter } from '@tanstack/react-router'
import type { Answer, DataOf, InputOf } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import type * as accountInvitations from '@vrata/contract/account-invitations'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { deviceName } from '../../lib/passkeys/device-name.ts'
import { createPasskey } from '../../lib/passkeys/passkeys.ts'
import { setUser } from '../../lib/session.ts'
import { Button, type ButtonLook } from '../../ui/button.tsx'

type Created = Omit<InputOf<typeof accountInvitations.addPasskeyByLink>, 'token'>

/** Returns a function that shows the start page to the user whom a link has signed in. */
export function useEnter() {
  const context = useAppContext()
  const router = useRouter()
  return async (user: UserInfo): Promise<undefined> => {
    context.queries.clear()
    setUser(context, user)
    await router.navigate({ href: paths.home, replace: true })
  }
}

/** Creates a passkey with the calls of a mailed link, which sign in. */
export function PasskeyByLink({
  label,
  look,
  options,
  add,
}: {
  label: string
  look?: ButtonLook
  options: () => Promise<Answer<DataOf<typeof accountInvitations.passkeyLinkOptions>>>
  add: (created: Created) => Promise<Answer<UserInfo>>
}) {
  const { t } = useI18n()
  const { errorMessage } = useFormErrors()
  const enter = useEnter()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function register(): Promise<string | undefined> {
    const asked = await options()
    if (!asked.ok) return errorMessage(asked)
    const created = await createPasskey(asked.data)
    if (!created.ok) return t(`second-factor.passkey.${created.why}`)
    const answer = await add({ name: deviceName(), response: created.response })
    if (!answer.ok) return errorMessage(answer)
    return await enter(answer.data)
  }

  async function press() {
    setProblem(undefined)
    setBusy(true)
    setProblem(await register())
    setBusy(false)
  }

  return (
    <>
      <Button look={look} wide busy={busy} className="noscript:hidden" onClick={() => void press()}>
        {label}
      </Button>
      {problem && (
        <p role="alert" className="mt-3 text-danger">
          {problem}
        </p>
      )}
    </>
  )
}
