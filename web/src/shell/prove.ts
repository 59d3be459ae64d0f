import { auth } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { askForPasskey, preparePasskeys } from '../lib/passkeys.ts'
import { passkeysSupported } from '../lib/passkeys-supported.ts'
import { refusalOf, sentenceOf } from '../lib/refusal.ts'
import { currentUser } from '../lib/session.ts'
import type { Wires } from '../lib/wires.tsx'
import { ask, type Question } from '../ui/ask.ts'

type Way = 'password' | 'passkey' | 'code'

/** What this person has at hand, the most usual first. */
export function waysOf(user: Pick<UserInfo, 'has_password' | 'passkeys' | 'otp_enabled'>, passkeys: boolean): Way[] {
  const ways: Way[] = []
  if (user.has_password) ways.push('password')
  if (user.passkeys > 0 && passkeys) ways.push('passkey')
  if (user.otp_enabled) ways.push('code')
  return ways.length ? ways : ['password']
}

/** One way at a time; the button in the middle goes on to the next. */
export async function prove(wires: Wires): Promise<boolean> {
  const user = currentUser(wires)
  if (!user) return false
  await wires.i18n.load(['auth', 'proof'])
  const ways = waysOf(user, passkeysSupported())
  if (ways.includes('passkey')) preparePasskeys()
  const { t } = wires.i18n.now()
  for (let turn = 0; ; turn++) {
    const way = ways[turn % ways.length] as Way
    const next = ways[(turn + 1) % ways.length] as Way
    const answer = await ask({
      title: t('proof.prove.title'),
      ...QUESTIONS[way](wires, user),
      buttons: [
        { label: t('ui.cancel') },
        ...(next === way ? [] : [{ label: t(`proof.use_${next}`), id: 'next' }]),
        { label: t(way === 'passkey' ? 'proof.passkey_do' : 'proof.prove.do') },
      ],
    })
    if (answer?.button !== 'next') return answer !== null
  }
}

const QUESTIONS: Record<Way, (wires: Wires, user: UserInfo) => Pick<Question, 'message' | 'fields' | 'send'>> = {
  password(wires, { email }) {
    const { t } = wires.i18n.now()
    return {
      message: t('proof.prove.text', { email }),
      fields: [
        {
          kind: 'password',
          name: 'password',
          label: t('auth.password'),
          required: true,
          autoComplete: 'current-password',
        },
      ],
      async send({ password = '' }) {
        const answer = await wires.api(auth.reauthenticate, { password })
        if (!answer.ok) return refusalOf({ t }, answer, { invalid_password: 'password' })
      },
    }
  },
  code(wires) {
    const { t } = wires.i18n.now()
    return {
      message: t('proof.code_hint'),
      fields: [
        { kind: 'text', name: 'otp_token', label: t('proof.code'), required: true, autoComplete: 'one-time-code' },
      ],
      async send({ otp_token = '' }) {
        const answer = await wires.api(auth.reauthenticate, { otp_token: otp_token.trim() })
        if (!answer.ok) return refusalOf({ t }, answer, { invalid_otp: 'otp_token' })
      },
    }
  },
  passkey(wires) {
    const { t } = wires.i18n.now()
    return {
      message: t('proof.passkey_text'),
      async send() {
        const options = await wires.api(auth.reauthenticateOptions)
        if (!options.ok) return { message: sentenceOf({ t }, options) }
        const asked = await askForPasskey(options.data)
        if (!asked.ok) return { message: t(`proof.passkey.${asked.why}`) }
        const answer = await wires.api(auth.reauthenticate, { passkey: asked.response })
        if (!answer.ok) return { message: sentenceOf({ t }, answer) }
      },
    }
  },
}
