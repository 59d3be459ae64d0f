import { useHydrated } from '@tanstack/react-router'
import type { DataOf } from '@vrata/contract'
import * as branding from '@vrata/contract/branding'
import type * as operators from '@vrata/contract/operators'
import { paths } from '@vrata/contract/page-addresses'
import * as system from '@vrata/contract/system'
import { useState } from 'react'
import { callQuery } from '../../lib/api/call-query.ts'
import { constraintsOf } from '../../lib/api/constraints.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { outcomeOfMail } from '../../lib/outcome-of-mail.ts'
import { useUser } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'
import { CheckIcon } from '../../ui/icons/signed-in-icons.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'
import { addressFacts } from './address-facts.ts'

type Setup = DataOf<typeof operators.getSetup>
type Props = { setup: Setup; name: string | null; onDone: () => void }

/** Step 2: the name, whether the address is the one that the browser uses, and a test mail. */
export function SetUpInstallation({ setup: { public_url, mail_server }, name: saved, onDone }: Props) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const { type: _, required: __, minLength: ___, ...limits } = constraintsOf(branding.updateBranding, 'name')

  async function save({ name = '' }: Record<string, string>) {
    const wanted = name.trim() || null
    if (wanted !== saved) {
      const answer = await context.api(branding.updateBranding, { name: wanted })
      if (!answer.ok) return formErrors(answer)
      context.queries.setQueryData(callQuery(context, branding.getBranding, {}).queryKey, answer.data)
    }
    onDone()
    return undefined
  }

  return (
    <PublicCard
      title={t('operators.setup.installation')}
      text={`${t('operators.setup.step', { step: 2 })} ${t('operators.setup.installation_text')}`}
    >
      <Form onSubmit={save}>
        <TextField
          name="name"
          label={t('operators.setup.name')}
          hint={t('operators.setup.name_hint')}
          defaultValue={saved ?? ''}
          autoComplete="off"
          {...limits}
        />
        <PublicAddress address={public_url} />
        <TestMail sends={mail_server} />
        <div className="flex flex-wrap gap-3">
          <Submit>{t('operators.setup.continue')}</Submit>
          <ButtonLink look="ghost" href={paths.adminOverview}>
            {t('operators.setup.later')}
          </ButtonLink>
        </div>
      </Form>
    </PublicCard>
  )
}

/** The address of this installation, compared with that of the open page, which the server does not know. */
function PublicAddress({ address }: { address: string }) {
  const { t } = useI18n()
  const origin = useHydrated() ? location.origin : undefined
  return (
    <section>
      <h2 className="text-base">{t('operators.setup.address')}</h2>
      <p className="font-mono wrap-anywhere">{address}</p>
      {origin &&
        addressFacts(address, origin).map((fact) => (
          <Fact key={fact} good={fact === 'same'}>
            {t(`operators.setup.address_${fact}`, { origin })}
          </Fact>
        ))}
    </section>
  )
}

type Outcome = Awaited<ReturnType<typeof outcomeOfMail>>

/** Sends a mail to the own address and says what became of it. */
function TestMail({ sends }: { sends: boolean }) {
  const { t } = useI18n()
  const context = useAppContext()
  const { email } = useUser()
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Outcome | string>()

  async function send() {
    setBusy(true)
    setResult(undefined)
    const answer = await context.api(system.sendTestMail, {})
    setResult(answer.ok ? await outcomeOfMail(context, answer.data) : errorText(answer))
    setBusy(false)
  }

  return (
    <section>
      <h2 className="text-base">{t('operators.setup.mail')}</h2>
      <p className="mb-3 text-muted">{t('operators.setup.mail_text', { email })}</p>
      {!sends && <Fact>{t('operators.setup.mail_files')}</Fact>}
      <div className="mt-3">
        <Button busy={busy} onClick={() => void send()}>
          {t('system.mails.test')}
        </Button>
      </div>
      <div role="status">
        {typeof result === 'string' && <Fact>{result}</Fact>}
        {typeof result === 'object' && (
          <Fact good={result.outcome === 'sent'}>
            {result.outcome === 'sent' && !sends
              ? t('operators.setup.mail_kept')
              : t(`system.mails.test.${result.outcome}`, { error: result.error })}
          </Fact>
        )}
      </div>
    </section>
  )
}

function Fact({ good = false, children }: { good?: boolean; children: string }) {
  const Sign = good ? CheckIcon : AlertIcon
  return (
    <p className="mt-2 flex gap-2">
      <Sign size={18} className={good ? 'mt-0.5 text-ok' : 'mt-0.5 text-danger'} />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
