import { useQuery } from '@tanstack/react-query'
import type { Policy } from '@vrata/contract/policy'
import * as policy from '@vrata/contract/policy'
import { callQuery, requestIdOf } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { type Limit, type NumberSetting, usePolicyDialogs } from './use-policy-dialogs.ts'

/** Ways to sign in, each with a switch. */
const WAYS = ['password_sign_in', 'passkey_sign_in', 'qr_sign_in'] as const
const PERIODS = [
  'session_idle_days',
  'session_max_days',
  'activity_days',
  'audit_days',
] as const satisfies NumberSetting[]
const LIMITS = [
  'organizations_per_person',
  'clients_per_organization',
  'members_per_organization',
  'invitation_mails_per_day',
] as const satisfies Limit[]

/** Policy of registration and sign-in. Administrators change it. */
export function PolicyPage() {
  const { t } = useI18n()
  const { data, error, refetch } = useQuery(callQuery(useAppContext(), policy.getPolicy, {}))
  return (
    <div className="space-y-6">
      <PageHead title={t('policy.title')} text={t('policy.text')} />
      {data ? (
        <PolicyCards policy={data} />
      ) : (
        <Card>
          {error ? (
            <ErrorState
              title={t('policy.failed')}
              text={t('policy.failed_text')}
              onRetry={() => void refetch()}
              code={requestIdOf(error)}
            />
          ) : (
            <SkeletonRows rows={8} label={t('policy.loading')} />
          )}
        </Card>
      )}
    </div>
  )
}

function PolicyCards({ policy }: { policy: Policy }) {
  const { t, format } = useI18n()
  const mayChange = useUser().operator_role === 'admin'
  const { askChoice, askRegistration, askFactor, askTerms, askNumber, askLimit, setWay } = usePolicyDialogs(policy)
  const when = (act: () => unknown) => (mayChange ? { onClick: () => void act() } : {})
  const days = (setting: (typeof PERIODS)[number]) => {
    const value = policy[setting]
    if (value === null) return t(setting === 'audit_days' ? 'policy.audit_days.forever' : 'policy.forever')
    return t('policy.days', { days: value })
  }

  return (
    <>
      <Card>
        <CardHead title={t('policy.join')} />
        <Rows label={t('policy.join')}>
          <Row
            label={t('policy.registration')}
            text={t(`policy.registration.${policy.registration}.text`, {
              domains: format.list(policy.registration_domains),
            })}
            value={t(`policy.registration.${policy.registration}`)}
            long
            {...when(askRegistration)}
          />
          <Row
            label={t('policy.terms')}
            text={
              policy.terms_version === null
                ? t('policy.terms.none')
                : t('policy.terms.text', { version: policy.terms_version })
            }
            value={policy.terms_version ?? t('policy.terms.off')}
            long
            {...when(askTerms)}
          />
        </Rows>
      </Card>
      <Card>
        <CardHead title={t('policy.creation')} />
        <Rows label={t('policy.creation')}>
          <Row
            label={t('policy.organization_creation')}
            text={t(`policy.organization_creation.${policy.organization_creation}.text`)}
            value={t(`policy.organization_creation.${policy.organization_creation}`)}
            long
            {...when(() => askChoice('organization_creation'))}
          />
          <Row
            label={t('policy.app_creation')}
            text={t(`policy.app_creation.${policy.app_creation}.text`)}
            value={t(`policy.app_creation.${policy.app_creation}`)}
            long
            {...when(() => askChoice('app_creation'))}
          />
        </Rows>
      </Card>
      <Card>
        <CardHead title={t('policy.ways')} />
        <div className="divide-y divide-line">
          {WAYS.map((way) => (
            <Switch
              key={way}
              label={t(`policy.${way}`)}
              text={t(`policy.${way}.text`)}
              checked={policy[way]}
              disabled={!mayChange}
              onChange={({ target }) => void setWay(way, target.checked)}
            />
          ))}
          <Row
            label={t('policy.second_factor')}
            text={t(`policy.second_factor.${policy.second_factor}.text`)}
            value={t(`policy.second_factor.${policy.second_factor}`)}
            long
            {...when(askFactor)}
          />
          <Row
            label={t('policy.password_min_length')}
            text={t('policy.password_min_length.text')}
            value={t('policy.characters', { characters: policy.password_min_length })}
            {...when(() => askNumber('password_min_length'))}
          />
        </div>
      </Card>
      <Card>
        <CardHead title={t('policy.periods')} />
        <Rows label={t('policy.periods')}>
          {PERIODS.map((setting) => (
            <Row
              key={setting}
              label={t(`policy.${setting}`)}
              text={t(`policy.${setting}.text`)}
              value={days(setting)}
              long
              {...when(() => askNumber(setting))}
            />
          ))}
        </Rows>
      </Card>
      <Card>
        <CardHead title={t('policy.limits')} text={t('policy.limits.text')} />
        <Rows label={t('policy.limits')}>
          {LIMITS.map((limit) => (
            <Row
              key={limit}
              label={t(`policy.limits.${limit}`)}
              value={format.number(policy.limits[limit])}
              {...when(() => askLimit(limit))}
            />
          ))}
        </Rows>
      </Card>
    </>
  )
}
