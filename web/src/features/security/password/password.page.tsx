import { signIn } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { formatTime } from '../../../lib/format/time.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { useUser } from '../../../lib/session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { KeyIcon } from '../../../ui/icons/icons.tsx'
import { CheckIcon } from '../../../ui/icons/signed-in-icons.tsx'
import { Card, CardBody, CardHead } from '../../../ui/layout/card.tsx'
import { Row } from '../../../ui/layout/row.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'

/** `/security/change-password`: age of the password and the form that changes it. */
export function PasswordPage() {
  const { t } = useI18n()
  const { has_password, otp_enabled } = useUser()
  const [changed, setChanged] = useState(false)
  return (
    <>
      {!has_password ? (
        <NoPassword />
      ) : changed ? (
        <Changed onAgain={() => setChanged(false)} />
      ) : (
        <ChangeCard onChanged={() => setChanged(true)} />
      )}
      <Card>
        <Row
          icon={KeyIcon}
          label={t(otp_enabled ? 'security.also.on' : 'security.also.off')}
          text={otp_enabled ? undefined : t('security.also.off_text')}
          href={paths.twoFactor}
        />
      </Card>
    </>
  )
}

function ChangeCard({ onChanged }: { onChanged: () => void }) {
  const { t, format } = useI18n()
  const { password_updated_at } = useUser()
  const age = password_updated_at
    ? t('security.password.age', { when: formatTime(password_updated_at, format).words })
    : t('security.password.never')
  return (
    <Card aria-labelledby="password">
      <CardHead id="password" title={t('security.password.title')} text={age} />
      <CardBody className="pt-1">
        <ChangePasswordForm onChanged={onChanged} className="max-w-100">
          <p className="text-muted">{t('security.password.warning')}</p>
          <Submit>{t('security.password.do')}</Submit>
        </ChangePasswordForm>
      </CardBody>
    </Card>
  )
}

function Changed({ onAgain }: { onAgain: () => void }) {
  const { t } = useI18n()
  return (
    <Said title={t('security.password.done')} text={t('security.password.done_text')}>
      <ButtonLink href={paths.devices}>{t('security.password.devices')}</ButtonLink>
      <Button look="ghost" onClick={onAgain}>
        {t('security.password.again')}
      </Button>
    </Said>
  )
}

/** Success message that replaces the form and receives focus. */
function Said({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Card>
      <CardBody className="flex flex-wrap items-start gap-4">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-brand-soft text-ok">
          <CheckIcon />
        </span>
        <div className="min-w-0 grow basis-52">
          <h2 ref={heading} tabIndex={-1} className="text-title">
            {title}
          </h2>
          <p className="mt-1 text-muted">{text}</p>
          <div className="mt-4 flex flex-wrap gap-3">{children}</div>
        </div>
      </CardBody>
    </Card>
  )
}

/** Users without a password receive a link by mail. */
function NoPassword() {
  const { t } = useI18n()
  const { api } = useAppContext()
  const { email } = useUser()
  const { formErrors } = useFormErrors()

  async function send() {
    const answer = await api(signIn.forgotPassword, { email })
    if (!answer.ok) return formErrors(answer)
    toast(t('security.password.sent'))
  }

  return (
    <Card>
      <CardBody>
        <Form onSubmit={send}>
          <p className="text-muted">{t('security.password.none', { email })}</p>
          <Submit>{t('security.password.send')}</Submit>
        </Form>
      </CardBody>
    </Card>
  )
}
