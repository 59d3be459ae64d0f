import * as clients from '@vrata/contract/clients'
import type { QuickStart } from '@vrata/contract/quick-start'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { origins, redirectUris } from '../../lib/clients/client-queries.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { LinkIcon } from '../../ui/icons/signed-in-icons.tsx'
import { AttentionCard } from '../../ui/layout/card.tsx'
import { quickStarts } from './queries.ts'

/** Addresses that the sample needs but that are not registered, with a button to register them. */
export function MissingAddresses({ id, shown }: { id: string; shown: QuickStart }) {
  const { t, format } = useI18n()
  const context = useAppContext()
  const user = useUser()
  const { errorMessage } = useFormErrors()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const redirect_uri = shown.redirect_uri?.registered === false ? shown.redirect_uri.value : undefined
  const origin = shown.origin?.registered === false ? shown.origin.value : undefined
  const missing = [redirect_uri, origin].filter((address) => address !== undefined)
  if (!missing.length) return null

  async function add() {
    setBusy(true)
    const answers = [
      redirect_uri && (await context.api(clients.addRedirectUri, { id, redirect_uri })),
      origin && (await context.api(clients.addOrigin, { id, origin })),
    ]
    const failure = answers.find((answer) => answer && !answer.ok)
    setFailed(failure && !failure.ok ? errorMessage(failure) : undefined)
    for (const { queryKey } of [quickStarts(context, id), redirectUris(context, id), origins(context, id)]) {
      await context.queries.invalidateQueries({ queryKey })
    }
    setBusy(false)
    if (!failure) toast(t('clients.address.added'))
  }

  return (
    <AttentionCard
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
