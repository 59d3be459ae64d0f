import { useQuery } from '@tanstack/react-query'
import * as operators from '@vrata/contract/operators'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { callQuery } from '../../lib/api/call-query.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Card, CardHead } from '../../ui/layout/card.tsx'

/** Leads an administrator back to setting up the installation, until that is finished or dismissed. */
export function SetupCard() {
  const { t } = useI18n()
  const context = useAppContext()
  const { operator_role } = useUser()
  const errorText = useErrorText()
  const query = callQuery(context, operators.getSetup, {})
  const { data } = useQuery(query)
  const [busy, setBusy] = useState(false)
  if (operator_role !== 'admin' || data?.state !== 'open') return null

  async function dismiss() {
    setBusy(true)
    const answer = await context.api(operators.updateSetup, { state: 'dismissed' })
    setBusy(false)
    if (answer.ok) context.queries.setQueryData(query.queryKey, answer.data)
    toast(answer.ok ? t('operators.setup.dismissed') : errorText(answer))
  }

  return (
    <Card aria-labelledby="setup">
      <CardHead
        id="setup"
        title={t('operators.setup.open')}
        text={t('operators.setup.open_text')}
        action={
          <div className="flex flex-wrap gap-3">
            <Button size="small" busy={busy} onClick={() => void dismiss()}>
              {t('operators.setup.dismiss')}
            </Button>
            <ButtonLink size="small" look="primary" href={paths.adminSetup}>
              {t('operators.setup.take_up')}
            </ButtonLink>
          </div>
        }
      />
      <div className="pb-2" />
    </Card>
  )
}
