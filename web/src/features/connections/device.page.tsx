import { useRouter, useSearch } from '@tanstack/react-router'
import * as deviceCodes from '@vrata/contract/device-codes'
import { showUserCode } from '@vrata/contract/user-code'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { DeviceCodeField } from './device-code-field.tsx'

/** A code that came with the address, and, on the way back, what was answered. */
type Query = { user_code?: string; done?: string }

/**
 * Where a device without a browser sends its person (RFC 8628 §3.3). A code that came with the address only fills in the
 * field: whoever was sent here by somebody else still has to compare it with a device of their own.
 */
export function DevicePage() {
  const { user_code = '', done } = useSearch({ strict: false }) as Query
  if (done === 'allowed' || done === 'denied') return <Done is={done} />
  return <Enter code={String(user_code)} />
}

function Enter({ code }: { code: string }) {
  const { t } = useI18n()
  const { api } = useWires()
  const router = useRouter()
  const { sentence } = useRefusal()
  const [compare, setCompare] = useState(code !== '')

  async function open({ user_code = '' }: Record<string, string>) {
    const answer = await api(deviceCodes.openDeviceCode, { user_code })
    if (answer.ok) return void router.navigate({ href: paths.consent(answer.data) })
    switch (answer.problem.code) {
      case 'not_found':
        return { fields: { user_code: t('device.unknown') } }
      case 'expired_code':
        setCompare(false)
        return { fields: { user_code: t('device.ended') } }
      default:
        return { message: sentence(answer) }
    }
  }

  return (
    <PublicCard title={t('device.title')} text={t('device.text')}>
      <Form onSubmit={open}>
        <DeviceCodeField
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

function Done({ is }: { is: 'allowed' | 'denied' }) {
  const { t } = useI18n()
  return (
    <PublicCard title={t(`device.${is}.title`)} text={t(`device.${is}.text`)}>
      <ButtonLink look="primary" wide href={is === 'allowed' ? paths.connectedApps : paths.home}>
        {t(is === 'allowed' ? 'device.apps' : 'ui.home')}
      </ButtonLink>
    </PublicCard>
  )
}
