import * as clients from '@vrata/contract/clients'
import type { QuickStart } from '@vrata/contract/quick-start'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Button } from '../../ui/button.tsx'
import { LampCard } from '../../ui/card.tsx'
import { LinkIcon } from '../../ui/inner-icons.tsx'
import { toast } from '../../ui/toast.ts'
import { origins, quickStarts, redirectUris } from './data.ts'

/** What the program needs registered and is not, and one press that registers it. */
export function MissingAddresses({ id, shown }: { id: string; shown: QuickStart }) {
  const { t, format } = useI18n()
  const wires = useWires()
  const user = useUser()
  const { sentence } = useRefusal()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const redirect_uri = shown.redirect_uri?.registered === false ? shown.redirect_uri.value : undefined
  const origin = shown.origin?.registered === false ? shown.origin.value : undefined
  const missing = [redirect_uri, origin].filter((address) => address !== undefined)
  if (!missing.length) return null

  async function add() {
    setBusy(true)
    const answers = [
      redirect_uri && (await wires.api(clients.addRedirectUri, { id, redirect_uri })),
      origin && (await wires.api(clients.addOrigin, { id, origin })),
    ]
    const refused = answers.find((answer) => answer && !answer.ok)
    setFailed(refused && !refused.ok ? sentence(refused) : undefined)
    for (const { queryKey } of [quickStarts(wires, id), redirectUris(wires, id), origins(wires, id)]) {
      await wires.queries.invalidateQueries({ queryKey })
    }
    setBusy(false)
    if (!refused) toast(t('clients.address.added'))
  }

  return (
    <LampCard
      icon={<LinkIcon />}
      title={t('clients.quick.missing', { count: missing.length })}
      text={failed ?? format.list(missing)}
      action={
        can(user, clients.addRedirectUri) && (
          <Button size="small" busy={busy} onClick={() => void add()}>
            {t('clients.quick.add', { count: missing.length })}
          </Button>
        )
      }
    />
  )
}
