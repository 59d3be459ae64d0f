import { useRouter, useSearch } from '@tanstack/react-router'
import * as connections from '@vrata/contract/connections'
import { paths } from '@vrata/contract/page-addresses'
import { showUserCode } from '@vrata/contract/user-code'
import { useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'
import { UserCodeField } from './user-code-field.tsx'

/** Query parameters: a prefilled code, and the result after the decision. */
type Query = { user_code?: string; done?: string }

/**
 * Verification page of the device authorization grant (RFC 8628 §3.3). A code in the address only fills in the field,
 * because the user must compare it with their device (RFC 8628 §5.4).
 */
export function DevicePage() {
  const { user_code = '', done } = useSearch({ strict: false }) as Query
  if (done === 'allowed' || done === 'denied') return <Result is={done} />
  return <CodeForm code={String(user_code)} />
}

function CodeForm({ code }: { code: string }) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const router = useRouter()
  const { errorMessage } = useFormErrors()
  const [compare, setCompare] = useState(code !== '')

  async function open({ user_code = '' }: Record<string, string>) {
    const answer = await api(connections.openDeviceCode, { user_code })
    if (answer.ok) return void router.navigate({ href: paths.consent(answer.data) })
    switch (answer.problem.code) {
      case 'email_not_verified':
        return void router.navigate({ href: paths.verify(paths.device(user_code)) })
      case 'not_found':
        return { fields: { user_code: t('device.unknown') } }
      case 'expired_code':
        setCompare(false)
        return { fields: { user_code: t('device.ended') } }
      default:
        return { message: errorMessage(answer) }
    }
  }

  return (
    <PublicCard title={t('device.title')} text={t('device.text')}>
      <Form onSubmit={open}>
        <UserCodeField
          label={t('device.code')}
          hint={t(compare ? 'device.compare' : 'device.code_hint')}
          invalid={t('device.code_invalid')}
          defaultValue={showUserCode(code)}
        />
        <Submit wide>{t('device.go_on')}</Submit>
      </Form>
    </PublicCard>
  )
}

function Result({ is }: { is: 'allowed' | 'denied' }) {
  const { t } = useI18n()
  return (
    <PublicCard title={t(`device.${is}.title`)} text={t(`device.${is}.text`)}>
      <ButtonLink look="primary" wide href={is === 'allowed' ? paths.connectedApps : paths.home}>
        {t(is === 'allowed' ? 'device.apps' : 'ui.home')}
      </ButtonLink>
    </PublicCard>
  )
}
