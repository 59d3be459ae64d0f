import { security } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { createPasskey } from '../../lib/passkeys.ts'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { toast } from '../../ui/toast.ts'
import { reloadPasskeys } from './data.ts'
import { useRename } from './use-rename.ts'

/**
 * Has the browser make a passkey and keeps it under the device's name, then asks for a better one: whoever closes that
 * question still has a passkey that works. What goes wrong is told in the person's words.
 */
export function useAddPasskey(tell: (sentence: string | null) => void) {
  const { t } = useI18n()
  const wires = useWires()
  const { sentence } = useRefusal()
  const rename = useRename()
  const [busy, setBusy] = useState(false)

  async function make() {
    const options = await wires.api(security.passkeyOptions)
    if (!options.ok) {
      // Somebody who closes the question "is it you?" knows why nothing has happened.
      return options.problem.code === 'reauthentication_required' ? undefined : tell(sentence(options))
    }
    const made = await createPasskey(options.data)
    if (!made.ok) return tell(t(`proof.passkey.${made.why}`))
    const kept = await wires.api(security.addPasskey, { name: deviceWords(), response: made.response })
    if (!kept.ok) return tell(sentence(kept))
    toast(t('security.passkeys.added'))
    await reloadPasskeys(wires)
    return kept.data
  }

  async function add() {
    tell(null)
    setBusy(true)
    const passkey = await make()
    setBusy(false)
    if (passkey) await rename(passkey)
  }

  return { add, busy }
}

const BROWSERS = { Edge: /Edg\//, Firefox: /Firefox\//, Chrome: /Chrome\//, Safari: /Safari\// }
const SYSTEMS = {
  Android: /Android/,
  iPhone: /iPhone/,
  iPad: /iPad/,
  Mac: /Mac OS X/,
  Windows: /Windows/,
  Linux: /Linux/,
}

/** "Chrome, Windows": what people will know the passkey by, if they write nothing better. */
function deviceWords(): string {
  const said = (words: Record<string, RegExp>) =>
    Object.keys(words).find((word) => words[word]?.test(navigator.userAgent))
  return [said(BROWSERS), said(SYSTEMS)].filter(Boolean).join(', ') || 'Passkey'
}
