import * as operators from '@vrata/contract/operators'
import { paths } from '@vrata/contract/page-addresses'
import type { Policy, Registration } from '@vrata/contract/policy'
import * as policies from '@vrata/contract/policy'
import { useState } from 'react'
import { callQuery } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { MultilineField } from '../../ui/form/multiline-field.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'

type Props = { policy: Policy; onBack: () => void; onDone: () => void }

/** Step 3: who may create an account. Setting up is then finished. */
export function SetUpJoining({ policy, onBack, onDone }: Props) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const [registration, setRegistration] = useState(policy.registration)

  async function finish({ domains = '' }: Record<string, string>) {
    const changed = await context.api(policies.updatePolicy, {
      registration,
      ...(registration === 'domains' ? { registration_domains: domains.split(/[\s,;]+/).filter(Boolean) } : {}),
    })
    if (!changed.ok) {
      const { fields, ...errors } = formErrors(changed)
      // One field has all domains, whichever of them is wrong.
      const [error] = Object.values(fields ?? {})
      return error ? { fields: { domains: error } } : errors
    }
    context.queries.setQueryData(callQuery(context, policies.getPolicy, {}).queryKey, changed.data)
    const answer = await context.api(operators.updateSetup, { state: 'finished' })
    if (!answer.ok) return formErrors(answer)
    context.queries.setQueryData(callQuery(context, operators.getSetup, {}).queryKey, answer.data)
    onDone()
    return undefined
  }

  return (
    <PublicCard
      title={t('operators.setup.joining')}
      text={`${t('operators.setup.step', { step: 3 })} ${t('operators.setup.joining_text')}`}
    >
      <Form onSubmit={finish}>
        <SelectField
          name="registration"
          label={t('policy.registration')}
          value={registration}
          onChange={({ currentTarget }) => setRegistration(currentTarget.value as Registration)}
        >
          {policies.REGISTRATIONS.map((value) => (
            <option key={value} value={value}>
              {t(`policy.registration.${value}`)}
            </option>
          ))}
        </SelectField>
        {registration === 'domains' && (
          <MultilineField
            name="domains"
            label={t('policy.domains')}
            hint={t('policy.domains.hint')}
            defaultValue={policy.registration_domains.join('\n')}
            rows={2}
            required
          />
        )}
        <div className="flex flex-wrap gap-3">
          <Submit>{t('operators.setup.finish')}</Submit>
          <Button onClick={onBack}>{t('operators.setup.back')}</Button>
          <ButtonLink look="ghost" href={paths.adminOverview}>
            {t('operators.setup.later')}
          </ButtonLink>
        </div>
      </Form>
    </PublicCard>
  )
}
