import { account } from '@vrata/contract'
import { useRef } from 'react'
import { useFailureMessage } from '../../lib/api/use-failure-message.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { currentUser, setUser, useUser } from '../../lib/session.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Switch } from '../../ui/form/switch.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { DeleteAccountCard } from './delete-account-card.tsx'

const SETTINGS = ['allow_details_on_login', 'allow_personalized_ads'] as const
type Setting = (typeof SETTINGS)[number]

/** Privacy settings, saved immediately, and deletion of the account. */
export function SettingsPage() {
  const { t } = useI18n()
  const user = useUser()
  const { change, message, place } = useSettings()
  return (
    <>
      <Card aria-labelledby="shown">
        <CardHead id="shown" title={t('privacy.settings.title')} />
        <div className="divide-y divide-line">
          {SETTINGS.map((setting) => (
            <Switch
              key={setting}
              label={t(`privacy.${setting}`)}
              text={t(`privacy.${setting}.text`)}
              checked={user[setting]}
              onChange={({ target }) => void change(setting, target.checked)}
            />
          ))}
        </div>
        <div ref={place} role="alert" className="empty:hidden">
          {message && (
            <p className="flex gap-3 bg-danger-soft px-5 py-3 font-medium sm:px-6">
              <AlertIcon className="mt-0.5 text-danger" />
              <span className="min-w-0">{message}</span>
            </p>
          )}
        </div>
      </Card>
      <DeleteAccountCard />
    </>
  )
}

/** Applies a change optimistically and reverts it when the server rejects it. An answer changes no setting but its own, as they may arrive in any order. */
function useSettings() {
  const { t } = useI18n()
  const context = useAppContext()
  const { message, place, fail, clear } = useFailureMessage<HTMLDivElement>()
  const chosen = useRef<Partial<Record<Setting, boolean>>>({})

  async function change(setting: Setting, on: boolean, undoable = true) {
    clear()
    chosen.current[setting] = on
    show(setting, on)
    const answer = await context.api(account.updateAccount, { [setting]: on })
    if (chosen.current[setting] !== on) return
    if (!answer.ok) {
      show(setting, !on)
      return fail(t(`privacy.${setting}`), answer)
    }
    show(setting, answer.data[setting])
    if (!undoable) return
    toast(t(on ? `privacy.${setting}.on` : `privacy.${setting}.off`), {
      label: t('privacy.undo'),
      run: () => void change(setting, !on, false),
    })
  }

  function show(setting: Setting, on: boolean) {
    const user = currentUser(context)
    if (user) setUser(context, { ...user, [setting]: on })
  }

  return { change, message, place }
}
