import { type DataOf, security } from '@vrata/contract'
import { type ReactNode, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { CodeField } from '../../ui/code-field.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast.ts'
import { SaveCodes } from './save-codes.tsx'

type Setup = DataOf<typeof security.enableOtp>

/** Three steps on one page: scan, type the code, save the backup codes (design.md §7). */
export function EnableTwoFactor({ onSaving }: { onSaving: (saving: boolean) => void }) {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()
  const [setup, setSetup] = useState<Setup>()
  const [codes, setCodes] = useState<string[]>()

  async function begin() {
    const answer = await wires.api(security.enableOtp)
    if (!answer.ok) return refusal(answer)
    setSetup(answer.data)
  }

  async function confirm({ otp_token = '' }: Record<string, string>) {
    const answer = await wires.api(security.confirmOtp, { otp_token })
    if (!answer.ok) {
      if (answer.problem.code === 'otp_setup_expired') setSetup(undefined)
      return refusal(answer, { invalid_otp: 'otp_token' })
    }
    setCodes(answer.data.recovery_codes)
    onSaving(true)
    toast(t('security.otp.enabled'))
    await loadUser(wires)
  }

  return (
    <Card aria-labelledby="two-factor">
      <CardHead
        id="two-factor"
        title={t('security.otp.title')}
        text={t('security.otp.text')}
        action={<Badge look={codes ? 'on' : 'off'}>{t(codes ? 'security.otp.on' : 'security.otp.off')}</Badge>}
      />
      {!setup ? (
        <CardBody className="pt-1">
          <Form onSubmit={begin}>
            <Submit>{t('security.otp.begin')}</Submit>
          </Form>
        </CardBody>
      ) : (
        <ol className="divide-y divide-line border-t border-line">
          <Step number={1} title={t('security.otp.scan')} done={codes !== undefined}>
            <Scan setup={setup} />
          </Step>
          <Step number={2} title={t('security.otp.confirm')} done={codes !== undefined}>
            <p className="mb-4 text-muted">{t('security.otp.confirm_text')}</p>
            <Form onSubmit={confirm}>
              <CodeField name="otp_token" label={t('proof.code')} invalid={t('proof.code_invalid')} autoFocus />
              <Submit>{t('security.otp.enable')}</Submit>
            </Form>
          </Step>
          <Step number={3} title={t('security.codes.save')} waits={!codes}>
            {codes && <SaveCodes codes={codes} onSaved={() => onSaving(false)} />}
          </Step>
        </ol>
      )}
    </Card>
  )
}

type StepProps = { number: number; title: string; done?: boolean; waits?: boolean; children: ReactNode }

/** What is done folds up to its title, what waits shows no more than that. */
function Step({ number, title, done = false, waits = false, children }: StepProps) {
  const { t } = useI18n()
  return (
    <li className="flex gap-4 px-5 py-5 sm:px-6">
      <span
        aria-hidden="true"
        className={classes(
          'flex size-8 shrink-0 items-center justify-center rounded-full font-semibold',
          done ? 'bg-brand-soft text-ok' : waits ? 'bg-sunken text-muted' : 'bg-brand text-on-brand',
        )}
      >
        {done ? <CheckIcon size={18} /> : number}
      </span>
      <div className="min-w-0 grow">
        <h3 className={classes('pt-1 text-lead font-semibold', waits && 'text-muted')}>
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

/** The picture for the phone, and the key for who reads this on the phone itself. */
function Scan({ setup: { qr_code, secret } }: { setup: Setup }) {
  const { t } = useI18n()
  const grouped = secret.replace(/.{4}(?=.)/g, '$& ')
  return (
    <div className="flex flex-col gap-5 sm:flex-row">
      <img
        src={qr_code}
        alt={t('security.otp.qr')}
        width={176}
        height={176}
        className="size-44 shrink-0 rounded-control border border-line bg-paper p-2"
      />
      <div className="min-w-0 grow">
        <p className="text-muted">{t('security.otp.scan_text')}</p>
        <p className="mt-4 mb-1.5 font-semibold">{t('security.otp.key')}</p>
        <div className="flex items-center gap-3 rounded-control border border-line bg-sunken py-1.5 pr-1.5 pl-3.5">
          <code className="min-w-0 grow font-mono text-small break-words select-all">{grouped}</code>
          <CopyButton text={secret} what={t('security.otp.key_name')} />
        </div>
      </div>
    </div>
  )
}
