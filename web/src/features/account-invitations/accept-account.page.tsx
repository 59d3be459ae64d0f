import { useQuery } from '@tanstack/react-query'
import { useHydrated, useParams } from '@tanstack/react-router'
import * as accountInvitations from '@vrata/contract/account-invitations'
import { paths } from '@vrata/contract/page-addresses'
import { CallError, callQuery } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useMailedLink } from '../../lib/api/use-mailed-link.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { InvalidLinkCard } from '../../ui/feedback/invalid-link-card.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'
import { NewPasswordField, newPasswordProblems } from '../security/public.ts'
import { PasskeyByLink, useEnter } from './passkey-by-link.tsx'

/** `/accept-account/{token}`: the person sets a password or a passkey and is signed in. The form is shown at once. */
export function AcceptAccountPage() {
  const { token = '' } = useParams({ strict: false })
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const hydrated = useHydrated()
  const enter = useEnter()
  const { rejected, unanswered, check, consume } = useMailedLink()
  const link = useQuery({
    ...callQuery(context, accountInvitations.checkAccountInvitation, { token }),
    enabled: hydrated && !rejected,
  })

  async function save({ password = '' }: Record<string, string>) {
    const answer = await consume(context.api(accountInvitations.acceptWithPassword, { token, password }))
    if (answer.ok) return await enter(answer.data)
    if (answer.problem.code !== 'invalid_token') return formErrors(answer, newPasswordProblems('password'))
    return undefined
  }

  const bad = link.error instanceof CallError && link.error.problem.code === 'invalid_token'
  if (bad || rejected)
    return unanswered ? (
      <BadLink title={t('account-invitations.maybe')} text={t('account-invitations.maybe_text')} />
    ) : (
      <BadLink title={t('account-invitations.invalid')} text={t('account-invitations.invalid_text')} />
    )
  const { email, first_name, last_name } = link.data ?? {}
  // The style sheet hides the ways that the policy has turned off, as on the sign-in page: the prerendered document has both.
  return (
    <PublicCard
      title={t('account-invitations.title')}
      text={email ? t('account-invitations.for', { email }) : t('account-invitations.text')}
    >
      <div data-way="password">
        <Form onSubmit={save}>
          <NewPasswordField
            name="password"
            label={t('sign-in.new_password')}
            personal={{ email, names: [first_name ?? '', last_name ?? ''].filter(Boolean) }}
          />
          <Submit wide>{t('account-invitations.do')}</Submit>
        </Form>
      </div>
      <p data-way="password passkey" className="mt-6 mb-2 text-center text-muted noscript:hidden">
        {t('account-invitations.or')}
      </p>
      <div data-way="passkey">
        <PasskeyByLink
          label={t('account-invitations.passkey')}
          options={() => check(context.api(accountInvitations.acceptPasskeyOptions, { token }))}
          add={(created) => consume(context.api(accountInvitations.acceptWithPasskey, { token, ...created }))}
        />
        <noscript>
          <p data-without="password" className="text-muted">
            {t('account-invitations.script')}
          </p>
        </noscript>
      </div>
    </PublicCard>
  )
}

/** `/new-passkey/{token}`: the person sets up a passkey and is signed in. The button is shown at once. */
export function NewPasskeyPage() {
  const { token = '' } = useParams({ strict: false })
  const { t } = useI18n()
  const context = useAppContext()
  const hydrated = useHydrated()
  const { rejected, unanswered, check, consume } = useMailedLink()
  const link = useQuery({
    ...callQuery(context, accountInvitations.checkPasskeyLink, { token }),
    enabled: hydrated && !rejected,
  })
  const bad = link.error instanceof CallError && link.error.problem.code === 'invalid_token'
  if (bad || rejected)
    return unanswered ? (
      <BadLink
        title={t('account-invitations.new_passkey.maybe')}
        text={t('account-invitations.new_passkey.maybe_text')}
      />
    ) : (
      <BadLink title={t('account-invitations.invalid')} text={t('account-invitations.new_passkey.invalid')} />
    )
  const email = link.data?.email
  return (
    <PublicCard
      title={t('account-invitations.new_passkey')}
      text={email ? t('account-invitations.new_passkey.for', { email }) : t('account-invitations.new_passkey.text')}
    >
      <PasskeyByLink
        look="primary"
        label={t('account-invitations.new_passkey.do')}
        options={() => check(context.api(accountInvitations.passkeyLinkOptions, { token }))}
        add={(created) => consume(context.api(accountInvitations.addPasskeyByLink, { token, ...created }))}
      />
      <noscript>
        <p className="text-muted">{t('account-invitations.script')}</p>
      </noscript>
    </PublicCard>
  )
}

function BadLink({ title, text }: { title: string; text: string }) {
  const { t } = useI18n()
  return (
    <InvalidLinkCard title={title} text={text}>
      <ButtonLink href={paths.login()} wide>
        {t('account-invitations.login')}
      </ButtonLink>
    </InvalidLinkCard>
  )
}
