import { security } from '@vrata/contract'
import { useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { deviceName } from '../../../lib/passkeys/device-name.ts'
import { createPasskey } from '../../../lib/passkeys/passkeys.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { reloadPasskeys } from './queries.ts'
import { useRenamePasskey } from './use-rename-passkey.ts'

/**
 * Creates a passkey, stores it under the device's name and then asks for another name (unless `naming` is off), so that
 * closing the dialog keeps the passkey.
 */
export function useAddPasskey(onError: (message: string | null) => void) {
  const { t } = useI18n()
  const context = useAppContext()
  const { errorMessage } = useFormErrors()
  const rename = useRenamePasskey()
  const [busy, setBusy] = useState(false)

  async function createAndStore() {
    const options = await context.api(security.passkeyOptions)
    if (!options.ok) {
      // Cancelling reauthentication needs no message.
      return options.problem.code === 'reauthentication_required' ? undefined : onError(errorMessage(options))
    }
    const created = await createPasskey(options.data)
    if (!created.ok) {
      // A passkey may have been stored although its answer was lost.
      if (created.why === 'already_added') await reloadPasskeys(context)
      return onError(t(`second-factor.passkey.${created.why}`))
    }
    const stored = await context.api(security.addPasskey, { name: deviceName(), response: created.response })
    if (!stored.ok) return onError(errorMessage(stored))
    toast(t('security.passkeys.added'))
    await reloadPasskeys(context)
    return stored.data
  }

  /** Resolves with whether a passkey was added. */
  async function add({ naming = true } = {}): Promise<boolean> {
    onError(null)
    setBusy(true)
    const passkey = await createAndStore()
    setBusy(false)
    if (passkey && naming) await rename(passkey)
    return passkey !== undefined
  }

  return { add, busy }
}
