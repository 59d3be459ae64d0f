import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { AdminOrganizationDetails } from '@vrata/contract/admin-organizations'
import { paths } from '@vrata/contract/page-addresses'
import { useAppContext } from '../../lib/app-context.tsx'
import { ClientMarks } from '../../lib/clients/client-marks.tsx'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { LoadedPage } from '../../lib/loading/loaded-page.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { accountName } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { OrganizationMarks } from './organization-marks.tsx'
import { organizationQuery } from './organization-queries.ts'
import { useOrganizationChange } from './use-organization-change.ts'

/** One organization, for operators: facts, members and apps. */
export function OrganizationPage() {
  const { organizationId = '' } = useParams({ strict: false })
  const query = useQuery(organizationQuery(useAppContext(), organizationId))
  return (
    <LoadedPage query={query} phrases="admin-organizations" list={paths.adminOrganizations}>
      {(organization) => <Organization organization={organization} />}
    </LoadedPage>
  )
}

function Organization({ organization }: { organization: AdminOrganizationDetails }) {
  const { t, format } = useI18n()
  const { change, decide, transfer } = useOrganizationChange(organization)
  const mayChange = useUser().operator_role === 'admin'
  const { name, logo, website, company, description, limits, id, created_at, ownerless } = organization
  const facts = [
    ['company', company],
    ['website', website],
    ['description', description],
    ['limit.clients', limits.clients?.toString()],
    ['limit.members', limits.members?.toString()],
    ['created', format.date(parseServerTime(created_at))],
  ] as const
  /** Says that a list has not all of them. */
  const listed = ({ length: shown }: readonly unknown[], all: number) =>
    shown < all ? t('admin-organizations.listed', { shown, all }) : undefined
  return (
    <div className="space-y-6">
      <PageHead
        picture={<Picture kind="developer" url={logo} name={name} size={72} />}
        title={name}
        badge={<OrganizationMarks organization={organization} />}
        action={mayChange && <Button onClick={() => void change()}>{t('admin-organizations.change')}</Button>}
      />
      {organization.approval && (
        <Card>
          <CardHead
            title={t(`menu.approval.${organization.approval}`)}
            text={
              organization.approval_reason
                ? t('menu.approval.reason', { reason: organization.approval_reason })
                : organization.approval_asked_at &&
                  t('menu.approval.asked_at', { when: format.date(parseServerTime(organization.approval_asked_at)) })
            }
            action={
              mayChange && (
                <Button look="primary" onClick={() => void decide()}>
                  {t('menu.approval.decide')}
                </Button>
              )
            }
          />
          <div className="pb-2" />
        </Card>
      )}
      {ownerless && <p>{t('admin-organizations.ownerless')}</p>}
      <Card>
        <CardHead title={t('admin-organizations.facts')} />
        <Rows label={t('admin-organizations.facts')}>
          <Row
            label={t('admin-organizations.id')}
            text={<code className="font-mono wrap-anywhere">{id}</code>}
            action={<CopyButton text={id} what={t('admin-organizations.id')} />}
          />
          {facts.flatMap(([label, value]) =>
            value ? <Row key={label} label={t(`admin-organizations.${label}`)} value={value} long /> : [],
          )}
          <Row label={t('admin-organizations.audit')} href={`${paths.adminAudit}?organization=${id}`} />
        </Rows>
      </Card>
      <Card>
        <CardHead
          title={t('admin-organizations.members')}
          text={listed(organization.member_list, organization.members)}
        />
        <Rows label={t('admin-organizations.members')}>
          {organization.member_list.map((member) => (
            <Row
              key={member.user.id}
              picture={
                <Picture kind="user" url={member.user.profile_picture} name={accountName(member.user)} size={40} />
              }
              label={accountName(member.user)}
              text={`${member.user.email} · ${t(`menu.level.${member.permission}`)}`}
              {...(ownerless && mayChange && member.active
                ? {
                    action: (
                      <Button size="small" onClick={() => void transfer(member)}>
                        {t('admin-organizations.transfer')}
                      </Button>
                    ),
                  }
                : { href: paths.adminPerson(member.user.id) })}
            />
          ))}
        </Rows>
      </Card>
      <Card>
        <CardHead
          title={t('admin-organizations.clients')}
          text={listed(organization.client_list, organization.clients)}
        />
        {organization.client_list.length > 0 ? (
          <Rows label={t('admin-organizations.clients')}>
            {organization.client_list.map((app) => (
              <Row
                key={app.client_id}
                picture={<Picture kind="app" url={app.icon} name={app.name} size={40} />}
                label={app.name}
                text={app.client_id}
                value={<ClientMarks app={app} />}
                long
                href={paths.adminApp(app.client_id)}
              />
            ))}
          </Rows>
        ) : (
          <CardBody>
            <p className="text-muted">{t('admin-organizations.clients.none')}</p>
          </CardBody>
        )}
      </Card>
    </div>
  )
}
