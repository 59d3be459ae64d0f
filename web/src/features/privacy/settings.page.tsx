import { account } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { currentUser, setUser, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { DeleteAccountCard } from './delete-account-card.tsx'

const SETTINGS = ['allow_details_on_login', 'allow_personalized_ads'] as const
type Setting = (typeof SETTINGS)[number]

/** What is shown and told about a person, saved as soon as it is switched; and the end of the account. */
export function SettingsPage() {
  const { t } = useI18n()
  const user = useUser()
  const { change, message } = useSettings()
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
        <div role="alert" className="empty:hidden">
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

/** Switches at once and tells the server; what the server refuses is switched back. */
function useSettings() {
  const { t } = useI18n()
  const wires = useWires()
  const { sentence } = useRefusal()
  const [message, setMessage] = useState<string>()

  async function change(setting: Setting, on: boolean, undoable = true) {
    setMessage(undefined)
    show(setting, on)
    const answer = await wires.api(account.updateAccount, { [setting]: on })
    if (!answer.ok) {
      show(setting, !on)
      return setMessage(sentence(answer))
    }
    setUser(wires, answer.data)
    if (!undoable) return
    toast(t(on ? `privacy.${setting}.on` : `privacy.${setting}.off`), {
      label: t('privacy.undo'),
      run: () => void change(setting, !on, false),
    })
  }

  function show(setting: Setting, on: boolean) {
    const user = currentUser(wires)
    if (user) setUser(wires, { ...user, [setting]: on })
  }

  return { change, message }
}
