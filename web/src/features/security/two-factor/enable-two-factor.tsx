import { type DataOf, security } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isUnavailable } from '../../../lib/api/call-query.ts'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { loadUser, useUser } from '../../../lib/session.ts'
import type { ButtonLook } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { CopyField } from '../../../ui/content/copy-field.tsx'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { CodeField } from '../../../ui/form/code-field.tsx'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { CheckIcon } from '../../../ui/icons/signed-in-icons.tsx'
import { Card, CardBody, CardHead } from '../../../ui/layout/card.tsx'
import { ConfirmEmailFirst } from '../confirm-email-first.tsx'
import { SaveRecoveryCodes } from './save-recovery-codes.tsx'

type Setup = DataOf<typeof security.enableOtp>

type Props = {
  /** Appearance of the button that begins; not primary where the page has another primary button. */
  look?: ButtonLook
  onBegun?: () => void
  onSaving: (saving: boolean) => void
}

/** Three steps: scan, enter the code, save the recovery codes (design §7.16). */
export function EnableTwoFactor({ look = 'primary', onBegun, onSaving }: Props) {
  const { t } = useI18n()
  const context = useAppContext()
  const { email_verified } = useUser()
  const { formErrors, errorMessage } = useFormErrors()
  const [setup, setSetup] = useState<Setup>()
  const [codes, setCodes] = useState<string[]>()
  /** A code was sent, and it is unknown whether it has turned two-step sign-in on. */
  const unanswered = useRef(false)
  const steps = useRef<HTMLOListElement>(null)
  // The step that begins, from its title on: the key comes before the field of the code, and the backup codes before their form.
  const current = codes ? 2 : 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step
  useEffect(() => steps.current?.querySelectorAll('h3')[current]?.focus(), [setup, current])

  async function start() {
    const answer = await context.api(security.enableOtp)
    if (!answer.ok) return formErrors(answer)
    setSetup(answer.data)
    onBegun?.()
  }

  async function confirm({ otp_token = '' }: Record<string, string>) {
    // Before the answer: the event that the account has changed may arrive earlier, and the codes are shown only once.
    onSaving(true)
    const answer = await codesFor(otp_token)
    if (!answer.ok) {
      // The page stays until it is known, because the codes would be lost with it.
      if (!unanswered.current) onSaving(false)
      if (answer.problem.code !== 'otp_setup_expired') return formErrors(answer, { invalid_otp: 'otp_token' })
      setSetup(undefined)
      return void toast(errorMessage(answer))
    }
    setCodes(answer.data.recovery_codes)
    toast(t('security.otp.enabled'))
    await loadUser(context)
  }

  /** Where the answer to an earlier code was lost, and its recovery codes with it, others take their place. */
  async function codesFor(otp_token: string) {
    const answer = await context.api(security.confirmOtp, { otp_token })
    if (!answer.ok && isUnavailable(answer.http)) unanswered.current = true
    else if (answer.ok || answer.problem.code !== 'otp_already_on') unanswered.current = false
    if (!unanswered.current || !(await loadUser(context))?.otp_enabled) return answer
    const renewed = await context.api(security.renewRecoveryCodes)
    if (renewed.ok) unanswered.current = false
    return renewed
  }

  return (
    <Card aria-labelledby="two-factor">
      <CardHead
        id="two-factor"
        title={t('security.otp.title')}
        text={t('security.otp.text')}
        action={<Badge look={codes ? 'on' : 'off'}>{t(codes ? 'security.otp.on' : 'security.otp.off')}</Badge>}
      />
      {!email_verified && !setup ? (
        <ConfirmEmailFirst page={paths.twoFactor} />
      ) : !setup ? (
        <CardBody className="pt-1">
          <Form onSubmit={start}>
            <Submit look={look}>{t('security.otp.begin')}</Submit>
          </Form>
        </CardBody>
      ) : (
        <ol ref={steps} className="divide-y divide-line border-t border-line">
          <Step number={1} title={t('security.otp.scan')} done={codes !== undefined}>
            <Scan setup={setup} />
          </Step>
          <Step number={2} title={t('security.otp.confirm')} done={codes !== undefined}>
            <p className="mb-4 text-muted">{t('security.otp.confirm_text')}</p>
            <Form onSubmit={confirm}>
              <CodeField name="otp_token" label={t('second-factor.code')} invalid={t('second-factor.code_invalid')} />
              <Submit>{t('security.otp.enable')}</Submit>
            </Form>
          </Step>
          <Step number={3} title={t('security.codes.save')} waits={!codes}>
            {codes && <SaveRecoveryCodes codes={codes} onSaved={() => onSaving(false)} />}
          </Step>
        </ol>
      )}
    </Card>
  )
}

type StepProps = { number: number; title: string; done?: boolean; waits?: boolean; children: ReactNode }

/** Finished steps collapse to their title; later steps show a hint. */
function Step({ number, title, done = false, waits = false, children }: StepProps) {
  const { t } = useI18n()
  return (
    <li className="flex flex-wrap gap-4 px-5 py-5 sm:px-6">
      <span
        aria-hidden="true"
        className={classes(
          'flex size-8 shrink-0 items-center justify-center rounded-full font-semibold',
          done ? 'bg-brand-soft text-ok' : waits ? 'bg-sunken text-muted' : 'bg-brand text-on-brand',
        )}
      >
        {done ? <CheckIcon size={18} /> : number}
      </span>
      <div className="min-w-0 grow basis-32">
        <h3 tabIndex={-1} className={classes('pt-1 text-lead font-semibold', waits && 'text-muted')}>
          <span className="sr-only">{t('security.otp.step', { step: number })}: </span>
          {title}
        </h3>
        {waits ? (
          <p className="text-muted">{t('security.otp.later_step')}</p>
        ) : (
          !done && <div className="mt-3">{children}</div>
        )}
      </div>
    </li>
  )
}

/** QR code, and the key for setup on the same device. */
function Scan({ setup: { qr_code, secret } }: { setup: Setup }) {
  const { t } = useI18n()
  const grouped = secret.replace(/.{4}(?=.)/g, '$& ')
  return (
    <div className="flex flex-wrap gap-5">
      <img
        src={qr_code}
        alt={t('security.otp.qr')}
        width={176}
        height={176}
        className="aspect-square w-44 max-w-full shrink-0 rounded-control border border-line bg-white p-2"
      />
      <div className="min-w-0 grow basis-60">
        <p className="text-muted">{t('security.otp.scan_text')}</p>
        <div className="mt-4">
          <CopyField label={t('security.otp.key')} text={secret} shown={grouped} what={t('security.otp.key_name')} />
        </div>
      </div>
    </div>
  )
}
