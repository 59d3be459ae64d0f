import { auth } from '@vrata/contract'
import { useEffect } from 'react'
import { refusalOf } from '../lib/refusal.ts'
import { currentUser } from '../lib/session.ts'
import { useWires, type Wires } from '../lib/wires.tsx'
import { ask } from '../ui/ask.ts'

/**
 * Hangs the question "is it you?" into the wires. A call that wants a fresh sign-in asks it and then goes on by itself
 * (`lib/api.ts`), so pages neither ask nor repeat anything. Calls that come meanwhile wait for the same answer.
 */
export function useProof() {
  const wires = useWires()
  useEffect(() => {
    let asking: Promise<boolean> | undefined
    wires.proof.ask = () => {
      asking ??= askForPassword(wires).finally(() => {
        asking = undefined
      })
      return asking
    }
    return () => {
      wires.proof.ask = undefined
    }
  }, [wires])
}

async function askForPassword(wires: Wires): Promise<boolean> {
  await wires.i18n.load(['auth'])
  const { t } = wires.i18n.now()
  const answer = await ask({
    title: t('auth.prove.title'),
    message: t('auth.prove.text', { email: currentUser(wires)?.email ?? '' }),
    fields: [
      {
        kind: 'password',
        name: 'password',
        label: t('auth.password'),
        required: true,
        autoComplete: 'current-password',
      },
    ],
    buttons: [{ label: t('ui.cancel') }, { label: t('auth.prove.do') }],
    async send({ password = '' }) {
      const answer = await wires.api(auth.reauthenticate, { password })
      if (!answer.ok) return refusalOf({ t }, answer, { invalid_password: 'password' })
    },
  })
  return answer !== null
}
