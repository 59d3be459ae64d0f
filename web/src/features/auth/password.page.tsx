import { account, auth } from '@vrata/contract'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser, useUser } from '../../lib/session.ts'
import { shownTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { CheckIcon, KeyIcon } from '../../ui/icons.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Row } from '../../ui/row.tsx'
import { toast } from '../../ui/toast.ts'
import { NewPasswordField } from './new-password-field.tsx'

/** /security/change-password: how old the password is, a new one, and what stands beside it. */
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
  const wires = useWires()
  const user = useUser()
  const { refusal } = useRefusal()
  const age = user.password_updated_at
    ? t('security.password.age', { when: shownTime(user.password_updated_at, format).words })
    : t('security.password.never')

  async function save({ current_password = '', new_password = '' }: Record<string, string>) {
    const answer = await wires.api(account.setPassword, { current_password, new_password })
    if (!answer.ok) {
      return refusal(answer, {
        invalid_password: 'current_password',
        password_too_short: 'new_password',
        password_breached: 'new_password',
      })
    }
    await loadUser(wires)
    onChanged()
  }

  return (
    <Card aria-labelledby="password">
      <CardHead id="password" title={t('security.password.title')} text={age} />
      <CardBody className="pt-1">
        <Form onSubmit={save} className="max-w-100">
          {/* Password managers want to know whose password this is. */}
          <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField
            name="current_password"
            label={t('auth.current_password')}
            autoComplete="current-password"
            {...constraintsOf(account.setPassword, 'current_password')}
          />
          <NewPasswordField
            name="new_password"
            label={t('auth.new_password')}
            own={[user.email, user.username ?? '', user.first_name, user.last_name]}
            thorough
          />
          <p className="text-muted">{t('security.password.warning')}</p>
          <Submit>{t('security.password.do')}</Submit>
        </Form>
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

/** It went well: said in the place of the form, and read aloud. */
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

/** Somebody who only ever signed in without one. */
function NoPassword() {
  const { t } = useI18n()
  const { api } = useWires()
  const { email } = useUser()
  const { refusal } = useRefusal()

  async function send() {
    const answer = await api(auth.forgotPassword, { email })
    if (!answer.ok) return refusal(answer)
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
