import { sessions } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { errorMessageOf, toFormErrors } from '../../lib/api/form-errors.ts'
import type { AppContext } from '../../lib/app-context.tsx'
import { preloadPasskeys, requestPasskey } from '../../lib/passkeys/passkeys.ts'
import { passkeysSupported } from '../../lib/passkeys/passkeys-supported.ts'
import { currentUser } from '../../lib/session.ts'
import { type DialogOptions, showDialog } from '../../ui/dialog/show-dialog.ts'

type Method = 'password' | 'passkey' | 'code'

/** Methods available to the user, the most common first. None where the account has passkeys alone and the browser none. */
export function reauthenticationMethods(
  user: Pick<UserInfo, 'has_password' | 'passkeys' | 'otp_enabled'>,
  passkeys: boolean,
): Method[] {
  const methods: Method[] = []
  if (user.has_password) methods.push('password')
  if (user.passkeys > 0 && passkeys) methods.push('passkey')
  if (user.otp_enabled) methods.push('code')
  return methods
}

/** Shows one method at a time; the middle button switches to the next. `page` is the path of the page that needs it. */
export async function reauthenticate(context: AppContext, page: string): Promise<boolean> {
  const user = currentUser(context)
  if (!user) return false
  await context.i18n.load(['sign-in', 'second-factor'])
  if (location.pathname !== page) return false
  const ways = reauthenticationMethods(user, passkeysSupported())
  if (ways.includes('passkey')) preloadPasskeys()
  const { t } = context.i18n.now()
  if (ways.length === 0) {
    await showDialog({
      title: t('second-factor.reauthenticate.title'),
      message: t('second-factor.reauthenticate.none'),
      buttons: [{ label: t('ui.close') }],
    })
    return false
  }
  for (let turn = 0; ; turn++) {
    const method = ways[turn % ways.length] as Method
    const next = ways[(turn + 1) % ways.length] as Method
    const answer = await showDialog({
      title: t('second-factor.reauthenticate.title'),
      ...DIALOGS[method](context, user),
      buttons: [
        { label: t('ui.cancel') },
        ...(next === method ? [] : [{ label: t(`second-factor.use_${next}`), id: 'next' }]),
        { label: t(method === 'passkey' ? 'second-factor.passkey_do' : 'second-factor.reauthenticate.do') },
      ],
    })
    if (answer?.button !== 'next') return answer !== null
  }
}

const DIALOGS: Record<
  Method,
  (context: AppContext, user: UserInfo) => Pick<DialogOptions, 'message' | 'fields' | 'onSubmit'>
> = {
  password(context, { email }) {
    const { t } = context.i18n.now()
    return {
      message: t('second-factor.reauthenticate.text', { email }),
      fields: [
        {
          kind: 'password',
          name: 'password',
          label: t('sign-in.password'),
          required: true,
          autoComplete: 'current-password',
        },
      ],
      async onSubmit({ password = '' }) {
        const answer = await context.api(sessions.reauthenticate, { password })
        if (!answer.ok) return toFormErrors(context.i18n.now(), answer, { invalid_password: 'password' })
      },
    }
  },
  code(context) {
    const { t } = context.i18n.now()
    return {
      message: t('second-factor.code_hint'),
      fields: [
        {
          kind: 'text',
          name: 'otp_token',
          label: t('second-factor.code'),
          required: true,
          autoComplete: 'one-time-code',
        },
      ],
      async onSubmit({ otp_token = '' }) {
        const answer = await context.api(sessions.reauthenticate, { otp_token: otp_token.trim() })
        if (!answer.ok) return toFormErrors(context.i18n.now(), answer, { invalid_otp: 'otp_token' })
      },
    }
  },
  passkey(context) {
    const { t } = context.i18n.now()
    return {
      message: t('second-factor.passkey_text'),
      async onSubmit() {
        const options = await context.api(sessions.reauthenticateOptions)
        if (!options.ok) return { message: errorMessageOf(context.i18n.now(), options) }
        const result = await requestPasskey(options.data)
        if (!result.ok) return { message: t(`second-factor.passkey.${result.why}`) }
        const answer = await context.api(sessions.reauthenticate, { passkey: result.response })
        if (!answer.ok) return { message: errorMessageOf(context.i18n.now(), answer) }
      },
    }
  },
}
